package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a file for which nothing came: none of its parts. */
@Timeout(60)
class TargetFileTest {
  private static final int ROUNDS = 500;
  private static final NpyHeader HEADER =
      new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L));

  @TempDir Path dir;

  private TargetFile target() throws IOException {
    return TargetFile.of(dir.resolve("got.npy"));
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.count();
    }
  }

  @Test
  void nothingIsBegunOnceItIsClosed() throws Exception {
    TargetFile target = target();
    PartFile part = target.begin(HEADER);
    assertThat(files()).isOne();
    target.close();
    assertThat(part.channel().isOpen()).isFalse();
    assertThatThrownBy(() -> target.begin(HEADER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing is received for the file any more (file=");
    assertThat(files()).isZero();
  }

  @Test
  void nothingIsBegunOnceItsPartsAreRemoved() throws Exception {
    try (TargetFile target = target()) {
      target.begin(HEADER);
      target.remove();
      assertThatThrownBy(() -> target.begin(HEADER)).isInstanceOf(IOException.class);
      assertThat(files()).isZero();
    }
  }

  /** On Ctrl-C the process ends after that, whatever a handler is about to do. */
  @Test
  void nothingIsNamedOnceItsPartsAreRemoved() throws Exception {
    try (TargetFile target = target()) {
      PartFile part = target.begin(HEADER);
      target.remove();
      assertThatThrownBy(() -> target.finish(part))
          .hasMessageContaining("nothing is received for the file any more (file=");
      assertThat(files()).isZero();
    }
  }

  /** A connection that ends removes its part while the receiver closes: one waits for the other. */
  @Test
  void noPartIsThereAfterCloseWhicheverThreadRemovesIt() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      TargetFile target = target();
      PartFile part = target.begin(HEADER);
      CyclicBarrier both = new CyclicBarrier(2);
      FutureTask<Void> connection =
          new FutureTask<>(() -> {
            both.await(30, TimeUnit.SECONDS);
            target.end(part);
            return null;
          });
      new Thread(connection, "connection").start();
      both.await(30, TimeUnit.SECONDS);
      target.close();
      assertThat(files()).as("files in round %d", i).isZero();
      connection.get(30, TimeUnit.SECONDS);
    }
  }
}
