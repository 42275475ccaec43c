package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmFlagsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-Xmx1g | -Xmx1g",
        "-javaagent:/home/somebody/lib/agent.jar=a/b,c | -javaagent:agent.jar=a/b,c",
        "-Djava.io.tmpdir=/home/somebody/tmp | -Djava.io.tmpdir=tmp",
        "-Xlog:gc:file=/var/log/me/gc.log:time | -Xlog:gc:file=gc.log:time",
        "-cp /a/b/c.jar:/d/e/f.jar | -cp c.jar:f.jar",
        "--add-opens java.base/sun.nio.ch=ALL-UNNAMED | --add-opens java.base/sun.nio.ch=ALL-UNNAMED",
        "-Dx=/tmp | -Dx=/tmp",
        "-Dx=file:///home/somebody/x.policy | -Dx=file:x.policy",
      })
  void noDirectoryOfTheMachineIsShown(String given, String shown) {
    assertThat(JvmFlags.shown(List.of(given.split(" ", -1)))).isEqualTo(shown);
  }
}
