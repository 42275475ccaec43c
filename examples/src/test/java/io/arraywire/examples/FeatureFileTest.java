package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NumPy reads what the program writes, and the other way round. */
class FeatureFileTest {
  @TempDir Path dir;

  @Test
  void theProgramPrintsWhatItsCommentsSay() throws Exception {
    Path file = dir.resolve("features.awm");
    assertThat(StandardOut.of(arguments -> FeatureFile.main(new String[] {file.toString()})))
        .containsExactly("42 [features=float[2, 3], users=long[2]]", "-0.25");
  }

  @Test
  void numPyReadsTheFile() throws Exception {
    Python.require();
    Path file = dir.resolve("features.awm");
    FeatureFile.main(new String[] {file.toString()});

    assertThat(python("show", file))
        .containsExactly(
            "tag 42",
            "unit = K",
            "features float32 (2, 3) [0.5, 1.0, -2.0, 4.0, 8.0, -0.25]",
            "users int64 (2,) [1001, 1002]");
  }

  /** What NumPy read and wrote is the same message: little-endian, with a shape for each part. */
  @Test
  void numPyWritesWhatItRead() throws Exception {
    Python.require();
    for (Encoding encoding : new Encoding[] {Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN}) {
      Message all = Message.of("none", new float[0], 0);
      for (ElementType type : ElementType.values()) {
        Object array = type.newArray(3);
        if (array instanceof int[] ints) {
          ints[1] = 0x01020304;
        } else if (array instanceof double[] doubles) {
          doubles[2] = Double.longBitsToDouble(0x7ff8000000012345L);
        } else if (array instanceof boolean[] booleans) {
          booleans[1] = true;
        }
        all = all.with(type.typeName(), ArraySlice.ofArray(array).as(type), 1, 3);
      }
      Message one = Message.of(new char[] {'ä', '\uffff'}, 2, 1).attribute("k", "größe").tag(-1);
      for (Message message : List.of(all.tag(7).attribute("unit", "K"), one)) {
        Path file = dir.resolve("one.awm");
        Path copy = dir.resolve("two.awm");
        Files.write(
            file, ArrayMessage.encode(message, MessageOptions.defaults().encoding(encoding)));
        assertThat(python("copy", file, copy)).isEmpty();
        assertThat(Files.readAllBytes(copy)).isEqualTo(ArrayMessage.encode(message));
      }
    }
  }

  private List<String> python(Object... arguments) throws Exception {
    try (CliProcess python = Python.start(dir, "array_message.py", arguments)) {
      assertThat(python.awaitExit()).as(python.toString()).isZero();
      return python.out();
    }
  }
}
