package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "512; 2048; 1;   sending [#####               ]  25 %  512 of 2048 MiB  512 MiB/s  0:03 left",
        "0; 2048; 5;     sending [                    ]   0 %  0 of 2048 MiB  0 MiB/s  ? left",
        "2048; 2048; 4;  sending [####################] 100 %  2048 of 2048 MiB  512 MiB/s  0:00 left",
        "1; 8000; 1;     sending [                    ]   0 %  1 of 8000 MiB  1 MiB/s  2:13:19 left",
        "0; 0; 1;        sending [####################] 100 %  0 of 0 MiB  0 MiB/s  ? left",
      })
  void aLineHasARateAndTheTimeThatIsLeft(long done, long all, long seconds, String line) {
    String words =
        new ProgressLine("MiB", MIB, () -> 0)
            .words("sending", done * MIB, all * MIB, Duration.ofSeconds(seconds), 79);
    assertThat(words.replaceAll("(\\d)\\.0+ ", "$1 ")).isEqualTo(line);
  }

  /** It is drawn, and makes the rate no better. */
  @Test
  void whatWasThereBeforeIsNotThisTransfers() {
    String words =
        new ProgressLine("MiB", MIB, () -> 1024 * MIB)
            .words("sending", 1536 * MIB, 2048 * MIB, Duration.ofSeconds(1), 79);
    assertThat(words.replaceAll("(\\d)\\.0+ ", "$1 "))
        .isEqualTo("sending [==========#####     ]  75 %  1536 of 2048 MiB  512 MiB/s  0:01 left");
  }

  /** What a reader looks for, the time left, is at the end of the line. */
  @Test
  void theBarLeavesRoomForTheWords() {
    ProgressLine transfers = new ProgressLine("transfers", 1, () -> 0);
    assertThat(transfers.words("measuring", 14, 144, Duration.ofSeconds(20), 79))
        .hasSize(79)
        .isEqualTo(
            "measuring [#          ]   9 %  14 of 144 transfers  0.70 transfers/s  3:06 left");
    assertThat(transfers.words("measuring", 14, 144, Duration.ofSeconds(20), 100))
        .contains("[#                   ]");
  }
}
