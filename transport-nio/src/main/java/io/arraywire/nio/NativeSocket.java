package io.arraywire.nio;

import io.arraywire.engine.ArrayIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket as the kernel knows it, which can be given the memory of an array itself. This one never
 * is: it stands for JDKs without the foreign function API. The one that is lies in {@code
 * src/main/java22} and takes its place in the packaged jar (META-INF/versions/22). The two must
 * have the same package-private methods, since nothing else checks that.
 */
abstract class NativeSocket implements ArrayIo, CongestionControl {
  /** Said once: each idle connection has it at hand. */
  private static final String OBSTACLE = findObstacle(Runtime.version().feature());

  private NativeSocket() {}

  private static String findObstacle(int feature) {
    return feature < 22
        ? "JDK " + feature + " cannot, JDK 22 can"
        : "this build lacks its part for JDK 22";
  }

  /** Why no socket of this process can be had; null if they can. */
  static @Nullable String obstacle() {
    return OBSTACLE;
  }

  /** Finds the socket of a channel that is nonblocking; null if that cannot be done safely. */
  static @Nullable NativeSocket of(SocketChannel channel) throws IOException {
    return null;
  }

  /** Writes a direct buffer of which more follows at once, so that it need not go alone. */
  abstract long writeMore(ByteBuffer source) throws IOException;
}
