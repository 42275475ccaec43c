package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the JDK load what a transport needs for its channels and log lines while there are file
 * descriptors. Classes of the JDK open some for themselves when they are first used. If no
 * descriptor is left then, these classes fail for as long as the process lives. A transport module
 * has one. Any thread.
 */
public final class EarlyTouch {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** More than all that is opened here at the same time. */
  private static final int DESCRIPTORS = 16;

  /** Present in every runtime image; where it is not, nothing is known and nothing refused. */
  private static final File READABLE = new File(System.getProperty("java.home"), "lib/modules");

  private final Touch touch;
  private final Once once = new Once();

  /**
   * Whether it was done. A class of its own, as everywhere in a public one: code that is compiled
   * against a field with the annotation would need it, too.
   */
  private static final class Once {
    @GuardedBy("this")
    boolean done;
  }

  /** Uses classes of the JDK once. */
  @FunctionalInterface
  public interface Touch {
    /**
     * Opens and closes whatever opens something when it is first used.
     *
     * @throws IOException if it cannot be opened
     * @throws ReflectiveOperationException if this JDK does not have it
     */
    void touch() throws IOException, ReflectiveOperationException;
  }

  /**
   * Makes one that has touched nothing.
   *
   * @param touch uses the classes that the transport will need
   */
  public EarlyTouch(Touch touch) {
    this.touch = touch;
  }

  /**
   * Touches the classes, once for the process.
   *
   * @throws UncheckedIOException if there are too few descriptors; nothing was touched then
   */
  public void ensure() {
    synchronized (once) {
      if (once.done) {
        return;
      }
      requireDescriptors();
      once.done = true;
      touchAll();
    }
  }

  private void touchAll() {
    try {
      // These read configuration files.
      LOGGER.touch();
      InetAddress.getLoopbackAddress();
      touch.touch();
    } catch (IOException | ReflectiveOperationException | RuntimeException | Error e) {
      LOGGER.log(
          Level.DEBUG,
          "what the JDK loads with the first socket could not be loaded in advance",
          e);
    }
  }

  private static void requireDescriptors() {
    if (!READABLE.canRead()) {
      return;
    }
    List<FileInputStream> open = new ArrayList<>(DESCRIPTORS);
    try {
      while (open.size() < DESCRIPTORS) {
        open.add(new FileInputStream(READABLE));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "a transport needs some file descriptors to begin with, and this process has too few left;"
              + " close some, or raise the limit (ulimit -n) (left="
              + open.size()
              + ", needed="
              + DESCRIPTORS
              + ")",
          e);
    } finally {
      open.forEach(EarlyTouch::close);
    }
  }

  @SuppressWarnings("EmptyCatch")
  private static void close(FileInputStream file) {
    try {
      file.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
