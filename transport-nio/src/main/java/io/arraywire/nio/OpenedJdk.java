package io.arraywire.nio;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An option of a socket that the JDK does not offer, by way of the methods with which it sets those
 * that it does. For JDKs before 22, and only where the user has opened their package. They know
 * options of four bytes, as many as the name has that is wanted; of another name they read four.
 */
final class OpenedJdk implements CongestionControl {
  private static final String PACKAGE = "sun.nio.ch";

  private static final @Nullable Methods METHODS = Methods.find();

  private final Methods methods;
  private final FileDescriptor descriptor;

  private OpenedJdk(Methods methods, FileDescriptor descriptor) {
    this.methods = methods;
    this.descriptor = descriptor;
  }

  /** The socket of a channel; null where the package is closed. */
  static @Nullable OpenedJdk of(SocketChannel channel) throws IOException {
    Methods methods = METHODS;
    return methods == null
        ? null
        : new OpenedJdk(methods, (FileDescriptor) call(methods.descriptor, channel));
  }

  /** What the user may do about it. */
  static String obstacle() {
    Module module = OpenedJdk.class.getModule();
    return "--add-opens java.base/"
        + PACKAGE
        + "="
        + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
        + " is missing";
  }

  @Override
  public String name() throws IOException {
    int name = (int) call(methods.get, null, descriptor, false, LEVEL, OPTION);
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(name).array();
    return new String(bytes, StandardCharsets.US_ASCII).replace("\0", "");
  }

  @Override
  public void change(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length != Integer.BYTES) {
      throw new IllegalArgumentException(
          "not a name of four characters, which is all that can be set (name=" + name + ")");
    }
    int value = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    call(methods.set, null, descriptor, false, LEVEL, OPTION, value, false);
  }

  private static Object call(Method method, @Nullable Object object, Object... arguments)
      throws IOException {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  /** Those of {@code sun.nio.ch}. */
  private record Methods(Method descriptor, Method get, Method set) {

    static @Nullable Methods find() {
      if (!System.getProperty("os.name").equals("Linux")) {
        return null;
      }
      try {
        Method descriptor = Class.forName(PACKAGE + ".SelChImpl").getMethod("getFD");
        Class<?> net = Class.forName(PACKAGE + ".Net");
        Class<FileDescriptor> socket = FileDescriptor.class;
        Method get =
            net.getDeclaredMethod("getIntOption0", socket, boolean.class, int.class, int.class);
        Method set =
            net.getDeclaredMethod(
                "setIntOption0",
                socket,
                boolean.class,
                int.class,
                int.class,
                int.class,
                boolean.class);
        boolean opened =
            descriptor.trySetAccessible() && get.trySetAccessible() && set.trySetAccessible();
        return opened ? new Methods(descriptor, get, set) : null;
      } catch (ReflectiveOperationException | RuntimeException e) {
        // Another JDK's, which has other methods.
        return null;
      }
    }
  }
}
