package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStampTest {
  @TempDir Path dir;

  /** As tools leave it that keep times when they copy. */
  @Test
  void anotherFileOfThatSizeAndTimeIsTold() throws IOException {
    Path file = Files.writeString(dir.resolve("a"), "one");
    Path other = Files.writeString(dir.resolve("b"), "two");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    FileStamp stamp = FileStamp.of(file);
    stamp.check(file);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> stamp.check(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the file changed while its beginning was compared");
  }
}
