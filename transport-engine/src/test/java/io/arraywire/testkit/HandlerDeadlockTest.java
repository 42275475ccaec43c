package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that wait for each other are logged while they wait, in memory. */
class HandlerDeadlockTest {
  private final RecordedLog log = new RecordedLog();
  private final TransportStage stage =
      TransportStage.of(InMemoryTransport::create, MemoryAddress::free);

  @AfterEach
  void end() throws Exception {
    log.close();
    stage.close();
  }

  private void awaitLogged(String beginning) {
    Eventually.until("it is logged: " + beginning, () -> !log.with(beginning).isEmpty());
    assertThat(log.with(beginning))
        .first()
        .asString()
        .startsWith(
            beginning + " keeps 1 array waiting until it returns; if the far side waits for")
        .contains("neither goes on: use sendAsync, a stage or another thread", "peer=")
        .hasSizeLessThan(300);
  }

  @ParameterizedTest
  @EnumSource
  void isLogged(HandlerDeadlock.Call call) throws Exception {
    HandlerDeadlock.play(stage, call, this::awaitLogged);
  }
}
