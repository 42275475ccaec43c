package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  private static PartFile kept(Path path) throws IOException {
    return java.util.Objects.requireNonNull(PartFile.kept(path, true));
  }

  private static void write(PartFile part, String text) throws IOException {
    part.channel().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whatIsKeptIsThereAgain() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "model/a.npy");
    assertThat(path).isNotEqualTo(PartFile.keptPath(dir.resolve("a.npy"), "other/a.npy"));
    assertThat(PartFile.kept(path, false)).isNull();
    try (PartFile part = kept(path)) {
      write(part, "half");
      part.remove();
    }
    assertThat(path).hasContent("half");
    Path file = dir.resolve("a.npy");
    try (PartFile part = kept(path)) {
      assertThat(part.channel().size()).isEqualTo(4);
      part.channel().position(4);
      write(part, " and half");
      part.becomeNew(file);
      // Another writer's, that a part which is a file by now leaves alone.
      Files.writeString(path, "new");
    }
    assertThat(file).hasContent("half and half");
    assertThat(path).hasContent("new");
    assertThat(dir.toFile().list()).hasSize(2);
  }

  /** Before it is closed, so that no other process writes into what becomes a file. */
  @Test
  void oneThatSettlesHasAnotherName() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    try (PartFile part = kept(path)) {
      write(part, "whole");
      part.settle();
      assertThat(path).doesNotExist();
      assertThat(dir.toFile().list())
          .singleElement()
          .asString()
          .matches("\\.a\\.npy\\.[89a-f][0-9a-f]{7}\\.part");
      assertThat(part.isKept()).isTrue();
    }
    // It has not become a file.
    assertThat(path).hasContent("whole");
    assertThat(dir.toFile().list()).hasSize(1);
  }

  /** Any thread may remove it: the process may end at any moment then. */
  @Test
  void oneThatHasSettledGoesBackWhenItIsRemoved() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    Path file = dir.resolve("a.npy");
    try (PartFile part = kept(path)) {
      write(part, "whole");
      part.settle();
      part.remove();
      assertThat(path).hasContent("whole");
      assertThatThrownBy(() -> part.becomeNew(file)).isInstanceOf(NoSuchFileException.class);
    }
    assertThat(path).hasContent("whole");
    assertThat(dir.toFile().list()).hasSize(1);
  }

  @Test
  void oneThatHasSettledReplacesNothing() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    try (PartFile part = kept(path)) {
      write(part, "whole");
      part.settle();
      Files.writeString(path, "of another process");
    }
    assertThat(path).hasContent("of another process");
    assertThat(dir.toFile().list()).hasSize(1);
  }

  @Test
  void nothingIsLeftOfOneThatIsDiscardedWhenItHasSettled() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    try (PartFile part = kept(path)) {
      write(part, "whole");
      part.settle();
      part.discard();
    }
    assertThat(dir).isEmptyDirectory();
  }

  /** There nothing can be kept, and what is there is nobody's. */
  @Test
  void aFileSystemWithoutLocksKeepsNothing() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    PartFile.Locking none =
        channel -> {
          throw new IOException("No locks available");
        };
    assertThat(PartFile.kept(path, true, none)).isNull();
    assertThat(dir).isEmptyDirectory();
    Files.writeString(path, "half");
    assertThat(PartFile.kept(path, true, none)).isNull();
    assertThat(path).hasContent("half");
  }

  @Test
  void nothingIsLeftOfOneThatIsEmptyOrDiscarded() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    kept(path).close();
    assertThat(dir).isEmptyDirectory();
    try (PartFile part = kept(path)) {
      write(part, "half");
      part.discard();
      assertThat(dir).isEmptyDirectory();
      Files.writeString(path, "of another writer");
    }
    assertThat(path).hasContent("of another writer");
  }

  @Test
  void aLinkOrADirectoryIsNoPart() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    Path outside = Files.writeString(dir.resolve("outside"), "mine");
    Files.createSymbolicLink(path, outside);
    assertThat(PartFile.kept(path, false)).isNull();
    assertThat(PartFile.kept(path, true)).isNull();
    assertThat(outside).hasContent("mine");
    Files.delete(path);
    Files.createDirectory(path);
    assertThat(PartFile.kept(path, true)).isNull();
  }

  /** A lock ends with the process that has it. */
  @Test
  void onlyOneHasIt() throws Exception {
    Path path = PartFile.keptPath(dir.resolve("a.npy"), "a.npy");
    Files.writeString(path, "half");
    try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
      assertThat(other.tryLock()).isNotNull();
      assertThatThrownBy(() -> PartFile.kept(path, true)).isInstanceOf(PartInUseException.class);
    }
    assertThat(path).hasContent("half");
    try (PartFile part = kept(path)) {
      assertThat(part.channel().size()).isEqualTo(4);
    }
  }
}
