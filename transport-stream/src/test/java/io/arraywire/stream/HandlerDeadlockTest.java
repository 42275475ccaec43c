package io.arraywire.stream;

import static org.awaitility.Awaitility.await;

import io.arraywire.testkit.HandlerDeadlock;
import io.arraywire.testkit.TransportStage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that wait for each other are logged while they wait. */
class HandlerDeadlockTest {
  private final Logged log = Logged.begin();
  private final TransportStage stage =
      TransportStage.of(
          StreamTransport::create,
          () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  @AfterEach
  void end() throws Exception {
    log.close();
    stage.close();
  }

  private void awaitLogged(String beginning) {
    await().atMost(Duration.ofMinutes(1)).until(() -> !log.messages(beginning).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void isLogged(HandlerDeadlock.Call call) throws Exception {
    HandlerDeadlock.play(stage, call, this::awaitLogged);
  }
}
