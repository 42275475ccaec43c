package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrayStoreTest {
  private static final NpyHeader HEADER =
      new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(2L));
  private static final ArraySlice ELEMENTS = ArraySlice.of(new float[] {1, 2});

  @TempDir Path dir;

  @Test
  void numbersFilesInADirectory() throws IOException {
    ArrayStore store = ArrayStore.at(dir.resolve("new/arrays"));

    assertThat(store.write(1, HEADER, ELEMENTS))
        .isEqualTo(dir.resolve("new/arrays/array-000001.npy"));
    assertThat(store.write(2, HEADER, ELEMENTS)).hasFileName("array-000002.npy");
    assertThat(names(dir.resolve("new/arrays")))
        .containsExactly("array-000001.npy", "array-000002.npy");
  }

  @Test
  void goesOnAfterTheHighestNumber() throws IOException {
    Files.createFile(dir.resolve("array-000007.npy"));
    Files.createFile(dir.resolve("array-9.npy"));
    Files.createFile(dir.resolve("xarray-000099.npy"));

    assertThat(ArrayStore.at(dir).write(1, HEADER, ELEMENTS)).hasFileName("array-000008.npy");
  }

  @Test
  void neverReplacesAFile() throws IOException {
    Path file = dir.resolve("one.npy");
    assertThat(FileNames.isFile(file)).isTrue();
    ArrayStore store = ArrayStore.at(file);
    ArrayStore second = ArrayStore.at(file);
    assertThat(store.write(1, HEADER, ELEMENTS)).isEqualTo(file);
    assertThat((float[]) NpyReader.read(file).elements().array()).containsExactly(1, 2);

    String message = "the file exists already; remove it, or give another name (file=" + file + ")";
    // Made since it was looked for, and before.
    Files.writeString(file, "old");
    assertThatThrownBy(() -> second.write(1, HEADER, ELEMENTS)).hasMessage(message);
    assertThatThrownBy(() -> ArrayStore.at(file)).hasMessage(message);
    assertThat(file).hasContent("old");
    assertThat(names(dir)).containsExactly("one.npy");
  }

  /** Two processes may write to one directory: each takes numbers that are free. */
  @Test
  void sharesADirectory() throws IOException {
    ArrayStore one = ArrayStore.at(dir);
    ArrayStore other = ArrayStore.at(dir);

    assertThat(one.write(1, HEADER, ELEMENTS)).hasFileName("array-000001.npy");
    assertThat(other.write(1, HEADER, ELEMENTS)).hasFileName("array-000002.npy");
    assertThat(one.write(2, HEADER, ELEMENTS)).hasFileName("array-000003.npy");
    assertThat(other.write(2, HEADER, ELEMENTS)).hasFileName("array-000004.npy");
    assertThat(names(dir)).hasSize(4);
  }

  @Test
  void aDirectoryMayHaveTheNameOfAFile() throws IOException {
    Path directory = Files.createDirectory(dir.resolve("odd.npy"));

    assertThat(FileNames.isFile(directory)).isFalse();
    assertThat(ArrayStore.at(directory).write(1, HEADER, ELEMENTS)).hasParent(directory);
  }

  @Test
  void seesAtOnceWhatCannotBeWritten() throws IOException {
    Path text = Files.writeString(dir.resolve("text"), "");

    assertThatThrownBy(() -> ArrayStore.at(text)).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> ArrayStore.at(text.resolve("below")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("text");
    assertThatThrownBy(() -> ArrayStore.at(dir.resolve("missing/one.npy")))
        .isInstanceOf(UnwritableException.class)
        .hasMessageEndingWith("(file=" + dir.resolve("missing/one.npy") + ")");
    assertThat(names(dir)).containsExactly("text");
  }

  /** The hidden file, to which the bytes go first, is nothing that anybody asked for. */
  @Test
  void aFailedWriteNamesTheFileThatWasAskedFor() throws IOException {
    ArrayStore store = ArrayStore.at(dir.resolve("got"));
    Files.delete(dir.resolve("got"));

    assertThatThrownBy(() -> store.write(3, HEADER, ELEMENTS))
        .isInstanceOf(UnwritableException.class)
        .hasMessage(
            "the array was not written: no such file or directory; make the directory, or give"
                + " another place (file="
                + dir.resolve("got/array-000003.npy")
                + ", bytes=8)");
  }

  @Test
  void keepsNothingWhenDiscarding() throws IOException {
    assertThat(ArrayStore.discarding().write(1, HEADER, ELEMENTS)).isNull();
  }

  @Test
  void refusesArraysOnceItIsClosed() throws IOException {
    ArrayStore store = ArrayStore.at(dir);
    store.close(1000);

    assertThatThrownBy(() -> store.write(1, HEADER, ELEMENTS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stopping");
    assertThat(names(dir)).isEmpty();
  }

  /** On Ctrl-C the process ends after that, whatever a handler is about to do. */
  @Test
  void namesNothingOnceItIsClosed() throws IOException {
    ArrayStore store = ArrayStore.at(dir);
    Writing writing = store.begin(1, TravelName.parse("a/b.npy"), 8);
    store.close(1);

    assertThatThrownBy(() -> store.finish(writing, 1, null))
        .hasMessageContaining("the receiver is stopping");
    store.end(writing);
    assertThat(names(dir)).isEmpty();
  }

  /** A whole file that gets no name by then is kept as a part of one is, if its sender wants it. */
  @Test
  void keepsWhatGetsNoNameOnceItIsClosed() throws IOException {
    ArrayStore store = ArrayStore.at(dir);
    TravelName name = TravelName.parse("a/b.npy");
    Path path = store.place(name).kept().get(0);
    PartFile part = Objects.requireNonNull(store.keptParts().claim(path, true));
    Writing writing =
        store.begin(
            1, name, 8, new ResumeDesk.Kept(ResumeQuestion.of(name, HEADER), path, part, 0));
    NpyWriter.write(writing.part(), HEADER, ELEMENTS);
    byte[] whole = Files.readAllBytes(path);
    store.close(1);

    assertThatThrownBy(() -> store.finish(writing, 1, null))
        .hasMessageContaining("the receiver is stopping");
    store.end(writing);
    assertThat(path).hasBinaryContent(whole);
    assertThat(names(dir)).containsExactly(path.getFileName().toString());
  }

  @Test
  void seesAtOnceThatAHiddenFileCannotBeCalledSo() {
    Path file = dir.resolve("x".repeat(237) + ".npy");
    assertThatThrownBy(() -> ArrayStore.at(file))
        .isInstanceOf(UnwritableException.class)
        .hasMessageContaining("File name too long");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
