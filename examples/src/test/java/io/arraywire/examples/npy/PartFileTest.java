package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PartFileTest {
  @TempDir Path dir;

  /** A process that ends at that moment would leave an empty file under the name. */
  @Test
  void aPartThatWasRemovedClaimsNoName() throws Exception {
    Path file = dir.resolve("got.npy");
    Path last = dir.resolve("last");
    List<Object> made = new ArrayList<>();
    try (WatchService watch = dir.getFileSystem().newWatchService();
        PartFile part = PartFile.of(file)) {
      part.remove();
      dir.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      assertThatThrownBy(() -> part.becomeNew(file)).isInstanceOf(NoSuchFileException.class);
      Files.createFile(last);
      while (!made.contains(last.getFileName())) {
        WatchKey key = watch.take();
        for (WatchEvent<?> each : key.pollEvents()) {
          made.add(each.context());
        }
        key.reset();
      }
    }
    assertThat(made).containsExactly(last.getFileName());
  }

  /** Some file systems say only then that bytes were not written. */
  @Test
  void itIsClosedBeforeItHasItsName() throws Exception {
    Path taken = Files.createFile(dir.resolve("taken.npy"));
    try (PartFile part = PartFile.of(taken)) {
      assertThatThrownBy(() -> part.becomeNew(taken))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(part.channel().isOpen()).isFalse();
      part.becomeNew(dir.resolve("free.npy"));
    }
    assertThat(dir.resolve("free.npy")).exists();
    assertThat(dir.toFile().list()).hasSize(2);
  }
}
