package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TravelNameTest {
  @TempDir Path dir;

  /** Half a character stands for all that the file system's charset has not. */
  @ParameterizedTest
  @ValueSource(strings = {"x\ud800.npy", "x\ud800/y.npy"})
  void whatTheFileSystemCannotWriteIsRefused(String text) throws Exception {
    TravelName name = TravelName.parse(text);
    assertThatThrownBy(() -> name.below(dir))
        .isInstanceOf(RefusedNameException.class)
        .hasMessageContaining("characters that the receiver's file system cannot store");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aPartHasRoomForItsHiddenFile() throws Exception {
    assertThat(TravelName.parse("a".repeat(236) + ".npy").parts()).hasSize(1);
    for (String text : new String[] {"a".repeat(237) + ".npy", "\u00e9".repeat(121) + "/x.npy"}) {
      assertThatThrownBy(() -> TravelName.parse(text))
          .isInstanceOf(RefusedNameException.class)
          .hasMessageContaining("more than 240 bytes");
    }
  }
}
