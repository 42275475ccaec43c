package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.examples.npy.NpyFormatException;
import io.arraywire.examples.npy.NpyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NumPy itself does what the reader advises, and loses nothing by it. */
class NpyAdviceTest {
  private static final Pattern SAVE = Pattern.compile("np\\.save\\(file, (.*?\\))\\)");

  @TempDir Path dir;

  @Test
  void adviceIsReadableAndLosesNothing() throws Exception {
    Python.require();
    List<String> made;
    try (CliProcess python = Python.start(dir, "npy_advice.py", "make", dir)) {
      assertThat(python.awaitExit()).as(python.toString()).isZero();
      made = python.out();
    }
    assertThat(made).hasSizeGreaterThan(12);
    List<String> advice = new ArrayList<>();
    for (String name : made) {
      Throwable refused = catchThrowable(() -> NpyReader.read(dir.resolve(name + ".npy")));
      assertThat(refused).as(name).isInstanceOf(NpyFormatException.class);
      assertThat(refused.getMessage().replace(dir.toString(), "")).as(name).hasSizeLessThan(300);
      Matcher save = SAVE.matcher(refused.getMessage());
      assertThat(save.find()).as(refused.getMessage()).isTrue();
      advice.add(name + "\t" + save.group(1));
    }
    Path all = Files.write(dir.resolve("advice.txt"), advice);

    // It compares what was saved with what was there before, and says which of them differ.
    try (CliProcess python = Python.start(dir, "npy_advice.py", "follow", dir, all)) {
      assertThat(python.awaitExit()).as(python.toString()).isZero();
      assertThat(python.out()).as(python.toString()).isEmpty();
    }
    for (String name : made) {
      assertThat(NpyReader.read(dir.resolve(name + "-advised.npy"))).as(name).isNotNull();
    }
  }
}
