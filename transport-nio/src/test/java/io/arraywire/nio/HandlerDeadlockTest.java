package io.arraywire.nio;

import io.arraywire.testkit.HandlerDeadlock;
import io.arraywire.testkit.TransportStage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that wait for each other are logged while they wait. */
class HandlerDeadlockTest {
  private final RecordedLog log = new RecordedLog();
  private final TransportStage stage =
      TransportStage.of(
          NioTransport::create, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  @AfterEach
  void end() throws Exception {
    log.close();
    stage.close();
  }

  @ParameterizedTest
  @EnumSource
  void isLogged(HandlerDeadlock.Call call) throws Exception {
    HandlerDeadlock.play(stage, call, log::await);
  }
}
