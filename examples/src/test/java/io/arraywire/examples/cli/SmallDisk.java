package io.arraywire.examples.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;

/** A disk that is soon full: a tmpfs, which takes root and Linux. */
public final class SmallDisk {
  private static final int PAGE_BYTES = 4096;

  private SmallDisk() {}

  /** Mounts one, or skips the test with a loud line, as where two hosts cannot be made. */
  public static Path mount(Path at, int bytes) throws IOException, InterruptedException {
    Files.createDirectories(at);
    if (run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", at.toString()) != 0) {
      String words = "!!! A FULL DISK WAS NOT TESTED: mount -t tmpfs takes root and Linux !!!";
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        throw new AssertionError(words);
      }
      System.out.println(words);
      Assumptions.abort(words);
    }
    return at;
  }

  /** Makes the rest of it somebody else's, but for some pages; returns the file that holds it. */
  public static Path fill(Path disk, int pagesLeft) throws IOException {
    Path other = disk.resolve("other");
    try (OutputStream out = Files.newOutputStream(other)) {
      byte[] page = new byte[PAGE_BYTES];
      while (true) {
        out.write(page);
      }
    } catch (IOException full) {
      try (FileChannel file = FileChannel.open(other, StandardOpenOption.WRITE)) {
        file.truncate(file.size() - (long) pagesLeft * PAGE_BYTES);
      }
      return other;
    }
  }

  public static void unmount(Path at) throws IOException, InterruptedException {
    run("umount", "-l", at.toString());
  }

  private static int run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    }
  }
}
