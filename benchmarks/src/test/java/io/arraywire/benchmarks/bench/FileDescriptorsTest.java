package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileDescriptorsTest {
  @Test
  void aLimitThatIsTooLowIsSaidWithWhatIsNeeded() {
    assertThat(FileDescriptors.shortage(1000, 1200)).isNull();
    assertThat(FileDescriptors.shortage(1000, 1199))
        .contains("ulimit -n", "needed=1200", "limit=1199");
  }

  @Test
  void thisProcessHasALimit() {
    assertThat(FileDescriptors.limit()).isPositive();
  }
}
