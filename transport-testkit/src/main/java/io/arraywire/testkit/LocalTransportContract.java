package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Transport} must do, also one without sockets, such as one over pipes or shared
 * memory. A transport over sockets extends {@link TransportContract}, which has all of this and
 * peers that misbehave.
 *
 * <p>Both ends are of the transport that is checked. After each test all pooled memory must be back
 * and all threads of the transports ended. Nothing here asserts a time; what must come to pass has
 * a minute for it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class LocalTransportContract
    implements TransferTests,
        OrderTests,
        InterleavingTests,
        NoteTests,
        TimedReceiveTests,
        RowTests,
        MessageTests,
        PartEncodingTests,
        SourceTests,
        SinkTests,
        ArrivingSinkTests,
        HandlerTests,
        BudgetTests,
        ThreadTests,
        RequestTests,
        UnansweredRequestTests,
        AnswerTests,
        SendDeadlineTests,
        PublishTests,
        LaggingSubscriberTests,
        AcceptLimitTests,
        AuthenticatorTests,
        CloseTests,
        CallerErrorTests,
        CallerErrorFlowTests,
        CallerErrorPluginTests,
        MisuseTextTests,
        AdviceTests {
  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage = TransportStage.of(this::create, this::address);

  /** For JUnit. */
  protected LocalTransportContract() {}

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where to listen.
   *
   * @return an address, each time one that is free
   */
  protected abstract SocketAddress address();

  /**
   * Where the test plays.
   *
   * @return the stage of this test
   */
  @Override
  public final TransportStage stage() {
    return stage;
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }
}
