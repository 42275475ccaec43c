package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.testkit.TestAuthority.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A listener where both sides must show a certificate, and a friend that is connected to it and
 * must notice nothing. Further peers speak TLS with the JDK's sockets. For one test, and its
 * thread.
 */
abstract class TlsScene {
  static final String[] HERE = {"localhost", "127.0.0.1", "::1"};

  static final TestAuthority authority = TestAuthority.named("trusted");
  static final Identity own = authority.issue("both", HERE);

  private static @Nullable Tls tls;

  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  final TransportStage stage = TransportStage.of(this::overTls, this::address, own::context);

  final ClosedWatch watch = new ClosedWatch();
  private @Nullable Listener listener;
  private @Nullable Connection friend;

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where the test plays.
   *
   * @return the stage of this test
   */
  public final TransportStage stage() {
    return stage;
  }

  SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private Transport overTls(TransportOptions options) {
    return create(options.tls() == null ? options.toBuilder().tls(tls).build() : options);
  }

  @BeforeAll
  static void issue(@TempDir Path folder) {
    tls =
        Tls.server(
                own.writeCertificate(folder.resolve("own.pem")),
                own.writeKey(folder.resolve("own.key")))
            .trust(authority.write(folder.resolve("ca.pem")))
            .requireClientCertificate();
  }

  @BeforeEach
  final void begin() throws Exception {
    Listener made = stage.transport().listen(stage.address(), watch);
    listener = made;
    friend = stage.transport().connect(made.address());
    friendIsServed();
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }

  SocketAddress there() {
    if (listener == null) {
      throw new IllegalStateException("not begun");
    }
    return listener.address();
  }

  void friendIsServed() throws Exception {
    if (friend == null) {
      throw new IllegalStateException("not begun");
    }
    int before = watch.arrays();
    friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
    assertThat(watch.arrays() - before).as("arrays but the friend's").isOne();
  }

  /** What a peer does that means no good. */
  @FunctionalInterface
  interface Attack {
    void on(RawPeer peer) throws IOException;
  }

  /** A peer that TLS and the handshake of Arraywire have let in. */
  RawPeer letIn() throws IOException {
    return stage.closing(stage.rawPeer(there())).shakeHands(RawOffer.manyChannels());
  }

  /** It is cut off for one of some reasons, and nothing of it was handed out. */
  ArraywireException cutOff(String what, RawPeer peer, Attack attack, ErrorCode... codes)
      throws Exception {
    try {
      attack.on(peer);
      peer.readUntilClosed();
    } catch (IOException cut) {
      // As good an end as any.
    }
    ArraywireException cause = watch.next();
    if (cause == null) {
      throw new AssertionError(what + ": an orderly end");
    }
    assertThat(cause).as(what).matches(CallerErrors.anyOf(codes), Arrays.toString(codes));
    CallerErrors.assertShort(what, cause);
    friendIsServed();
    return cause;
  }

  static byte[] array(int count) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[count])).bytes();
  }
}
