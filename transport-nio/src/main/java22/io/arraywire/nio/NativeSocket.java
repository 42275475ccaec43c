package io.arraywire.nio;

import io.arraywire.engine.ArrayIo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket as the kernel knows it, which can be given the memory of an array itself: {@code recv}
 * and {@code send} by way of the foreign function API, with an array as their buffer. Takes the
 * place of the class of the same name in {@code src/main/java}, whose package-private methods it
 * must have.
 *
 * <p>The collector cannot move the array during such a call, and its thread reaches no safepoint.
 * So a call must not wait ({@code MSG_DONTWAIT}, beside the channel's own mode) and is bounded in
 * bytes by its caller. Used by the channel's event loop alone, which also closes the channel: a
 * descriptor is never used after its close.
 */
final class NativeSocket implements ArrayIo, CongestionControl {
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_MORE = 0x8000;

  private static final int MOST_NAME_BYTES = 16;

  private static final int EINTR = 4;
  private static final int EAGAIN = 11;

  private static final @Nullable String OBSTACLE = findObstacle();

  private final SocketChannel channel;
  private final int descriptor;

  private NativeSocket(SocketChannel channel, int descriptor) {
    this.channel = channel;
    this.descriptor = descriptor;
  }

  /** The functions, looked up only where that is allowed: a JDK warns its user otherwise. */
  private static final class Calls {
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** Each thread has its own place for what went wrong. */
    static final ThreadLocal<MemorySegment> STATES =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    static final MethodHandle RECV = find("recv");
    static final MethodHandle SEND = find("send");

    private static MethodHandle find(String name) {
      return CLibrary.function(
          name,
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT),
          Linker.Option.critical(true),
          Linker.Option.captureCallState("errno"));
    }
  }

  private static @Nullable String findObstacle() {
    Module module = NativeSocket.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      return "native access is not granted: --enable-native-access="
          + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      return "this is not Linux (os.name=" + System.getProperty("os.name") + ")";
    }
    try {
      // Also finds out whether the functions are there.
      return Calls.RECV.equals(Calls.SEND) ? "recv and send are the same" : null;
    } catch (LinkageError | RuntimeException e) {
      return "the C library's functions cannot be called (" + e + ")";
    }
  }

  /** Why no socket of this process can be had; null if they can. */
  static @Nullable String obstacle() {
    return OBSTACLE;
  }

  /** Finds the socket of a channel that is nonblocking; null if that cannot be done safely. */
  static @Nullable NativeSocket of(SocketChannel channel) throws IOException {
    int descriptor = Descriptors.of(channel);
    return descriptor < 0 ? null : new NativeSocket(channel, descriptor);
  }

  @Override
  public long read(Object array, long offset, int bytes) throws IOException {
    MemorySegment state = before();
    long read;
    try {
      read =
          (long)
              Calls.RECV.invokeExact(
                  state, descriptor, part(array, offset, bytes), (long) bytes, MSG_DONTWAIT);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    return read > 0 ? read : read == 0 ? -1 : failed(state);
  }

  @Override
  public long write(Object array, long offset, int bytes) throws IOException {
    return send(part(array, offset, bytes), 0);
  }

  /** Writes a direct buffer of which more follows at once, so that it need not go alone. */
  long writeMore(ByteBuffer source) throws IOException {
    long written = send(MemorySegment.ofBuffer(source), MSG_MORE);
    source.position(source.position() + (int) written);
    return written;
  }

  private long send(MemorySegment source, int flags) throws IOException {
    MemorySegment state = before();
    long written;
    try {
      written =
          (long)
              Calls.SEND.invokeExact(
                  state,
                  descriptor,
                  source,
                  source.byteSize(),
                  MSG_DONTWAIT | MSG_NOSIGNAL | flags);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    return written >= 0 ? written : failed(state);
  }

  @Override
  public String name() throws IOException {
    checkOpen();
    return SocketOptionCalls.text(descriptor, TCP_LEVEL, TCP_CONGESTION, MOST_NAME_BYTES);
  }

  @Override
  public void change(String name) throws IOException {
    checkOpen();
    if (!SocketOptionCalls.set(descriptor, TCP_LEVEL, TCP_CONGESTION, name)) {
      throw new IOException("the kernel refuses the congestion control (name=" + name + ")");
    }
  }

  private MemorySegment before() throws IOException {
    checkOpen();
    return Calls.STATES.get();
  }

  private void checkOpen() throws IOException {
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private static MemorySegment part(Object array, long offset, int bytes) {
    return segment(array).asSlice(offset, bytes);
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case float[] floats -> MemorySegment.ofArray(floats);
      case int[] ints -> MemorySegment.ofArray(ints);
      case double[] doubles -> MemorySegment.ofArray(doubles);
      case long[] longs -> MemorySegment.ofArray(longs);
      case short[] shorts -> MemorySegment.ofArray(shorts);
      case char[] chars -> MemorySegment.ofArray(chars);
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      default -> throw new IllegalArgumentException("not an array that has bytes: " + array);
    };
  }

  private static long failed(MemorySegment state) throws IOException {
    int errno = (int) Calls.ERRNO.get(state, 0L);
    if (errno == EAGAIN || errno == EINTR) {
      return 0;
    }
    throw new IOException(words(errno));
  }

  /** What the JDK's own channels say of the same. */
  private static String words(int errno) {
    return switch (errno) {
      case 32 -> "Broken pipe";
      case 104 -> "Connection reset";
      case 110 -> "Connection timed out";
      case 113 -> "No route to host";
      default -> "the kernel refused (errno=" + errno + ")";
    };
  }

  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
  }
}
