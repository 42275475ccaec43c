package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Transport} over sockets must do; for one without sockets there is {@link
 * LocalTransportContract}. Extend it to check one of your own:
 *
 * <pre>{@code
 * class MyTransportTest extends TransportContract {
 *   @Override
 *   protected Transport create(TransportOptions options) {
 *     return MyTransport.create(options);
 *   }
 *
 *   @Override
 *   public Promises promises() {
 *     return new Promises(1, 1, 0);
 *   }
 * }
 * }</pre>
 *
 * <p>Extend {@link SmallHeapContract}, too, whose tests take a minute of two processors, {@link
 * SessionContract} and {@link TlsContract}.
 *
 * <p>Both ends are of the transport that is checked; where a peer must misbehave, it is a plain
 * socket. After each test all pooled memory must be back and all threads of the transports ended.
 * Nothing here asserts a time; what must come to pass has a minute for it. Some tests move 64 MiB
 * at a time through memory.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class TransportContract
    implements TransferTests,
        ReceiptTests,
        OrderTests,
        InterleavingTests,
        ArrivalTests,
        HandlerTests,
        OnLoopTests,
        BudgetTests,
        ThreadTests,
        RequestTests,
        UnansweredRequestTests,
        AnswerTests,
        PublishTests,
        LaggingSubscriberTests,
        HandshakeTests,
        AcceptLimitTests,
        AcceptLimitOverSocketsTests,
        DenialTests,
        AuthenticatorTests,
        AuthenticatorOverSocketsTests,
        StrangerTests,
        PlainModeTests,
        CloseTests,
        ListenerTests,
        BrokenPeerTests,
        FloodTests,
        ProgressTests,
        InterruptTests,
        NoteTests,
        TimedReceiveTests,
        TimedReceiveOverSocketsTests,
        RowTests,
        MessageTests,
        PartEncodingTests,
        SessionFloodTests,
        HandshakeDeadlineTests,
        SlowPeerTests,
        SourceTests,
        SinkTests,
        ArrivingSinkTests,
        SendDeadlineTests,
        PluginFaultTests,
        CallerErrorTests,
        CallerErrorFlowTests,
        CallerErrorPluginTests,
        CallerErrorOverSocketsTests,
        MisuseTests,
        MisuseTextTests,
        AdviceTests,
        CapabilityTests {
  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage =
      TransportStage.of(this::create, this::address, this::peersTls);

  /** For JUnit. */
  protected TransportContract() {}

  /**
   * How often a payload byte is copied in user space, with the codec that the transport prefers.
   *
   * @param toSend copies of a byte that is sent
   * @param toReceive copies of a byte that is received into the caller's array
   * @param toLend copies of a byte that is received as a lease for which a caller waited
   * @param straightFrom from how many bytes on an array is neither copied when it is sent nor when
   *     it is received into the caller's array; {@link Long#MAX_VALUE} if none is
   */
  public record Promises(int toSend, int toReceive, int toLend, long straightFrom) {

    /**
     * Promises of a transport that stages arrays of every size.
     *
     * @param toSend as the record's
     * @param toReceive as the record's
     * @param toLend as the record's
     */
    public Promises(int toSend, int toReceive, int toLend) {
      this(toSend, toReceive, toLend, Long.MAX_VALUE);
    }
  }

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * What the transport promises its users of copies.
   *
   * @return the promises
   */
  @Override
  public abstract Promises promises();

  /**
   * The TLS of peers that are plain sockets, if the transport that is checked speaks TLS.
   *
   * @return a context with which they connect and listen; by default null, no TLS
   */
  protected @Nullable SSLContext peersTls() {
    return null;
  }

  /**
   * Where to listen: by default any free port of the loopback interface.
   *
   * @return an address, each time one that is free
   */
  protected SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

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
