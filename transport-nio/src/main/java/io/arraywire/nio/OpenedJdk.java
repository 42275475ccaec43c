package io.arraywire.nio;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An option of a socket that the JDK does not offer, where the user has opened its package ({@link
 * #FLAG}). It goes by way of the methods with which the JDK sets those that it offers. It is for
 * JDKs that have no foreign function API. The methods know options of four bytes: of a longer name
 * they read the first four, and none can be set. Used by the channel's event loop alone, which also
 * closes it.
 */
final class OpenedJdk implements CongestionControl {
  private static final String PACKAGE = "sun.nio.ch";

  /** What takes a user to have it. */
  static final String FLAG = "--add-opens java.base/" + PACKAGE + "=" + target();

  private static final @Nullable Methods METHODS = Methods.find();

  private final Methods methods;
  private final SocketChannel channel;

  private OpenedJdk(Methods methods, SocketChannel channel) {
    this.methods = methods;
    this.channel = channel;
  }

  private static String target() {
    Module module = OpenedJdk.class.getModule();
    return module.isNamed() ? module.getName() : "ALL-UNNAMED";
  }

  /** The socket of a channel; null where the package is closed, or another JDK's. */
  static @Nullable OpenedJdk of(SocketChannel channel) {
    Methods methods = METHODS;
    return methods == null ? null : new OpenedJdk(methods, channel);
  }

  private Object descriptor() throws IOException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
    return call(methods.descriptor, channel);
  }

  @Override
  public String name() throws IOException {
    int name = (int) call(methods.get, null, descriptor(), false, TCP_LEVEL, TCP_CONGESTION);
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(name).array();
    return new String(bytes, StandardCharsets.US_ASCII).replace("\0", "");
  }

  @Override
  public void change(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > Integer.BYTES) {
      throw new IllegalArgumentException(
          "the name of the congestion control is too long to be set (name="
              + name
              + ", most="
              + Integer.BYTES
              + ")");
    }
    int value =
        ByteBuffer.wrap(Arrays.copyOf(bytes, Integer.BYTES))
            .order(ByteOrder.nativeOrder())
            .getInt();
    call(methods.set, null, descriptor(), false, TCP_LEVEL, TCP_CONGESTION, value, false);
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
      try {
        if (!System.getProperty("os.name").equals("Linux")) {
          return null;
        }
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
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        // Another JDK's, which has other methods.
        return null;
      }
    }
  }
}
