package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Identity;
import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every transport must do with {@link TransportOptions#tls()}: which peers are let in, which
 * are not, and that both sides know why. That everything else works over TLS as without it is for
 * {@link TransportContract}, with a transport that sets the option.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class TlsContract {
  private static final String[] HERE = {"localhost", "127.0.0.1", "::1"};

  @TempDir static @Nullable Path folder;
  private static final TestAuthority authority = TestAuthority.named("trusted");
  private static final TestAuthority stranger = TestAuthority.named("stranger");

  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage = TransportStage.of(this::create, this::address);

  private final BlockingQueue<ArraywireException> errors = new LinkedBlockingQueue<>();

  /** For JUnit. */
  protected TlsContract() {}

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where to listen: by default any free port of the loopback interface.
   *
   * @return an address, each time one that is free
   */
  protected SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }

  private static Path file(String name) {
    if (folder == null) {
      throw new IllegalStateException("JUnit makes it");
    }
    return folder.resolve(name);
  }

  private static Tls with(TestAuthority.Identity identity) {
    return Tls.server(
        identity.writeCertificate(file("some.pem")), identity.writeKey(file("some.key")));
  }

  private static Path trusted() {
    return authority.write(file("ca.pem"));
  }

  private static Tls client() {
    return Tls.client().trust(trusted());
  }

  private static Tls server() {
    return with(authority.issue("server", HERE));
  }

  /** A listener whose errors are noted. */
  private Listener listener(@Nullable Tls tls) throws Exception {
    return listener(tls, AcceptLimits.defaults());
  }

  private Listener listener(@Nullable Tls tls, AcceptLimits limits) throws Exception {
    return stage
        .transport(options ->
            options
                .tls(tls)
                .acceptLimits(limits)
                .observer(
                    new TransportObserver() {
                      @Override
                      public void error(Connection connection, ArraywireException error) {
                        errors.add(error);
                      }
                    }))
        .listen(stage.address(), Handlers.ofArrays((connection, array) -> {}));
  }

  private Connection connect(Listener listener, @Nullable Tls tls) throws Exception {
    return stage.transport(options -> options.tls(tls)).connect(listener.address());
  }

  private ArraywireException refusedHere(Listener listener, @Nullable Tls tls) {
    try {
      Connection connection = connect(listener, tls);
      // With TLS 1.3 a listener looks at the client's certificate when the client is done.
      connection.send(new float[] {1}, SendOptions.processed());
      throw new AssertionError("connected: " + connection.describe());
    } catch (ArraywireException e) {
      return e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private ArraywireException refusedThere() throws InterruptedException {
    return Eventually.next("an error at the listener", errors);
  }

  private static void assertSays(ArraywireException error, ErrorCode code, String... words) {
    assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
    for (String part : words) {
      assertThat(error).hasMessageContaining(part);
    }
    assertThat(error.getMessage()).hasSizeLessThan(300).doesNotContain("Exception", "java.");
  }

  /** What the JDK said of a certificate is among the causes. */
  private static ArraywireException withCause(ArraywireException error) {
    Throwable cause = error;
    while (!(cause instanceof CertificateException)) {
      cause = Objects.requireNonNull(cause.getCause(), "a refused certificate among the causes");
    }
    assertThat(cause.getCause()).as("why %s", error).isInstanceOf(CertificateException.class);
    return error;
  }

  /** Each side sees the other's certificate. */
  @Test
  void bothSidesProveWhoTheyAre() throws Exception {
    Tls both =
        with(authority.issue("some server", HERE)).trust(trusted()).requireClientCertificate();
    CompletableFuture<String> seen = new CompletableFuture<>();
    Listener listener =
        stage
            .transport(options -> options.tls(both))
            .listen(
                stage.address(),
                Handlers.ofArrays((connection, array) -> {
                  seen.complete(connection.describe());
                }));
    Connection connection =
        connect(listener, with(authority.issue("some client")).trust(trusted()));
    connection.send(new float[] {1, 2}, SendOptions.processed());
    assertThat(connection.describe())
        .contains("TLSv1.3", "TLS_AES_128_GCM_SHA256", "CN=some server");
    assertThat(Eventually.get(seen)).contains("TLSv1.3", "CN=some client");
    assertThat(connection.agreement().checksums()).isFalse();
  }

  /** By its certificate, or by what an authenticator makes of that. */
  @Test
  void aPeerHasTheNameOfItsCertificate() throws Exception {
    // Not in the files of the clients, which would be read again.
    TestAuthority.Identity server = authority.issue("some server", HERE);
    Tls both =
        Tls.server(server.writeCertificate(file("own.pem")), server.writeKey(file("own.key")))
            .trust(trusted())
            .requireClientCertificate();
    Authenticator byCertificate =
        peer -> {
          assertThat(peer.certificates()).as("of all that were sent").hasSize(1);
          X509Certificate own = peer.certificates().get(0);
          String name = own.getSubjectX500Principal().getName();
          return name.equals("CN=some client") ? Identity.of("client 7").channels(1) : null;
        };
    for (Authenticator authenticator : Arrays.asList(null, byCertificate)) {
      Listener listener =
          stage
              .transport(options -> options.tls(both).authenticator(authenticator))
              .listen(stage.address());
      TestAuthority.Identity client = authority.issue("some client");
      Path chain = client.writeCertificate(file("chain.pem"));
      Files.writeString(chain, Files.readString(trusted()), StandardOpenOption.APPEND);
      Tls withChain = Tls.server(chain, client.writeKey(file("chain.key"))).trust(trusted());
      Connection here = connect(listener, withChain);
      Identity name = listener.accept().agreement().identity();
      assertThat(name)
          .isEqualTo(
              authenticator == null
                  ? Identity.of("CN=some client")
                  : Identity.of("client 7").channels(1));
      assertThat(here.agreement().identity()).isNull();
      if (authenticator != null) {
        assertThat(here.agreement().channels()).isEqualTo(1);
        assertThatThrownBy(
                () -> connect(listener, with(authority.issue("other client")).trust(trusted())))
            .matches(ErrorCode.AUTHENTICATION_FAILED::isOf)
            .hasMessageNotContaining("client");
      }
    }
  }

  @Test
  void aCertificateForAnotherNameIsRefused() throws Exception {
    Listener listener = listener(with(authority.issue("server", "db.example.org", "192.0.2.7")));
    assertSays(
        withCause(refusedHere(listener, client())),
        ErrorCode.CERTIFICATE_REFUSED,
        "not for the name that was dialled",
        "dialled=",
        "db.example.org");
    assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED, "refuses this side's certificate");
  }

  @Test
  void anotherNameCanBeExpected() throws Exception {
    Listener listener = listener(with(authority.issue("server", "db.example.org")));
    Connection connection = connect(listener, client().peerName("db.example.org"));
    connection.send(new float[] {1}, SendOptions.processed());
    assertSays(
        refusedHere(listener, client().peerName("db.example.com")),
        ErrorCode.CERTIFICATE_REFUSED,
        "dialled=db.example.com");
  }

  /** Certificates have them in ASCII; and what is no host name is not looked for. */
  @Test
  void namesInOtherScriptsAreChecked() throws Exception {
    Listener listener = listener(with(authority.issue("server", "xn--bcher-kva.example")));
    Connection connection = connect(listener, client().peerName("b\u00fccher.example"));
    connection.send(new float[] {1}, SendOptions.processed());
    for (String other :
        List.of("b\u00fcche.example", "bucher.example", "my_host", "a..b", "x".repeat(300))) {
      assertSays(refusedHere(listener, client().peerName(other)), ErrorCode.CERTIFICATE_REFUSED);
    }
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    Instant end = Instant.parse("2024-02-29T12:00:00Z");
    Listener listener =
        listener(with(authority.issue("server", end.minus(Duration.ofDays(9)), end, HERE)));
    assertSays(
        withCause(refusedHere(listener, client())),
        ErrorCode.CERTIFICATE_REFUSED,
        "the certificate has expired; renew it",
        "2024-02-29T12:00:00Z",
        "CN=server");
    assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED);
  }

  @Test
  void aCertificateOfTheFutureIsRefused() throws Exception {
    Instant begin = Instant.parse("2048-02-29T12:00:00Z");
    Listener listener =
        listener(with(authority.issue("server", begin, begin.plus(Duration.ofDays(9)), HERE)));
    assertSays(
        withCause(refusedHere(listener, client())),
        ErrorCode.CERTIFICATE_REFUSED,
        "not valid yet",
        "2048-02-29T12:00:00Z");
  }

  @Test
  void aCertificateOfAStrangerIsRefused() throws Exception {
    Listener listener = listener(with(stranger.issue("server", HERE)));
    assertSays(
        withCause(refusedHere(listener, client())),
        ErrorCode.CERTIFICATE_REFUSED,
        "no trusted authority vouches",
        "issuer=CN=stranger",
        "ca.pem");
    assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED);
  }

  @Test
  void aClientWithoutCertificateIsRefused() throws Exception {
    Listener listener = listener(server().trust(trusted()).requireClientCertificate());
    assertSays(
        refusedHere(listener, client()),
        ErrorCode.CERTIFICATE_REFUSED,
        "wants a certificate of this side",
        "add certificate(chain, key)");
    assertSays(
        refusedThere(), ErrorCode.CERTIFICATE_REFUSED, "has shown no certificate", "its tls needs");
  }

  @Test
  void aClientOfAStrangerIsRefused() throws Exception {
    Listener listener = listener(server().trust(trusted()).requireClientCertificate());
    ArraywireException here =
        refusedHere(listener, with(stranger.issue("client")).trust(trusted()));
    // A client may find that no authority it has a certificate of is wanted, and send none.
    assertSays(here, ErrorCode.CERTIFICATE_REFUSED);
    assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED);
  }

  @Test
  void aPeerWithoutTlsIsToldThatTlsIsSpoken() throws Exception {
    Listener listener = listener(server());
    assertSays(
        refusedHere(listener, null),
        ErrorCode.TLS_MISMATCH,
        "the listener speaks TLS and the connecting side does not");
    assertSays(
        refusedThere(), ErrorCode.TLS_MISMATCH, "this side speaks TLS and the peer does not");
  }

  @Test
  void aPeerWithTlsIsToldThatTlsIsNotSpoken() throws Exception {
    Listener listener = listener(null);
    assertSays(refusedHere(listener, client()), ErrorCode.TLS_MISMATCH, "the peer does not");
    assertSays(refusedThere(), ErrorCode.TLS_MISMATCH, "the peer speaks TLS");
  }

  @Test
  void aSideWithoutCertificateCannotListen() {
    assertThatThrownBy(() -> listener(client()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Tls.server");
  }

  /** A peer that does not trust this side's certificate has not shown a wrong one. */
  @Test
  void aPeerThatRefusesTheCertificateHasGuessedNothing() throws Exception {
    Listener listener = listener(server(), AcceptLimits.none().failuresPerMinute(1));
    Tls stranger = Tls.client().trust(TlsContract.stranger.write(file("stranger.pem")));
    for (int i = 0; i < 2; i++) {
      assertSays(refusedHere(listener, stranger), ErrorCode.CERTIFICATE_REFUSED);
      assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED, "refuses this side's certificate");
    }
    connect(listener, client()).send(new float[] {1}, SendOptions.processed());
  }

  /** And one that shows a wrong one has to wait. */
  @Test
  void aPeerWithAWrongCertificateHasGuessed() throws Exception {
    Tls own = server().trust(trusted()).requireClientCertificate();
    Listener listener = listener(own, AcceptLimits.none().failuresPerMinute(1));
    if (!(listener.address() instanceof InetSocketAddress)) {
      return;
    }
    refusedHere(listener, with(stranger.issue("client")).trust(trusted()));
    assertSays(refusedThere(), ErrorCode.CERTIFICATE_REFUSED);
    Tls right = with(authority.issue("client")).trust(trusted());
    assertSays(refusedHere(listener, right), ErrorCode.TOO_MANY_CONNECTIONS);
  }

  /** Keys that cannot be read, for instance; peers can do nothing for that. */
  @Test
  void aListenerWithoutAnEngineBlamesNoPeer() throws Exception {
    SSLContext context = authority.issue("server", HERE).context();
    AtomicBoolean broken = new AtomicBoolean();
    Tls tls =
        Tls.of(
            new TlsEngines() {
              @Override
              public SSLEngine client(String peerName, int port) {
                return context.createSSLEngine(peerName, port);
              }

              @Override
              public SSLEngine server() throws IOException {
                if (broken.get()) {
                  throw new SSLException("the key is gone", new CertificateException("gone"));
                }
                return context.createSSLEngine();
              }
            });
    Listener listener = listener(tls, AcceptLimits.none().failuresPerMinute(1));
    broken.set(true);
    for (int i = 0; i < 2; i++) {
      assertSays(refusedHere(listener, client()), ErrorCode.TLS_FAILED);
      assertSays(
          refusedThere(), ErrorCode.TLS_FAILED, "this side has no TLS engine", "the key is gone");
    }
    broken.set(false);
    connect(listener, client()).send(new float[] {1}, SendOptions.processed());
  }

  /** The words with which a listener refuses a peer mean nothing where a peer says them. */
  @Test
  void aPeerCannotSayThatAListenerRefusesIt() throws Exception {
    Listener listener = listener(server());
    if (!(listener.address() instanceof InetSocketAddress)) {
      return;
    }
    try (RawPeer peer = RawPeer.connect(listener.address())) {
      peer.send(new byte[] {21, 3, 3, 0, 2, 2, 90});
    }
    assertSays(refusedThere(), ErrorCode.TLS_FAILED);
  }

  /** An engine that speaks TLS 1.2 only. */
  private static Tls old(TestAuthority.Identity identity) {
    SSLContext context = identity.context();
    return Tls.of(
        new TlsEngines() {
          @Override
          public SSLEngine client(String peerName, int port) {
            return old(context.createSSLEngine(peerName, port));
          }

          @Override
          public SSLEngine server() {
            return old(context.createSSLEngine());
          }

          private SSLEngine old(SSLEngine engine) {
            engine.setEnabledProtocols(new String[] {"TLSv1.2"});
            return engine;
          }
        });
  }

  /** TLS 1.2 knows no half-close, and still nothing that was accepted is lost. */
  @Test
  void nothingIsLostWhereConnectionsCloseInTls12() throws Exception {
    assertNothingIsLost(old(authority.issue("both", HERE)), "TLSv1.2");
  }

  @Test
  void nothingIsLostWhereConnectionsClose() throws Exception {
    assertNothingIsLost(with(authority.issue("both", HERE)).trust(trusted()), "TLSv1.3");
  }

  private void assertNothingIsLost(Tls tls, String version) throws Exception {
    int rounds = 20;
    int each = 50;
    AtomicInteger taken = new AtomicInteger();
    BlockingQueue<Connection> accepted = new LinkedBlockingQueue<>();
    Listener listener =
        stage
            .transport(options -> options.tls(tls))
            .listen(
                stage.address(),
                Handlers.ofArrays((connection, array) -> {
                  taken.incrementAndGet();
                  if (array.tag() == 1) {
                    accepted.add(connection);
                  }
                }));
    Transport here = stage.transport(options -> options.tls(tls));
    for (int round = 1; round <= rounds; round++) {
      Connection connection = here.connect(listener.address());
      assertThat(connection.describe()).contains(version);
      for (int i = 1; i <= each; i++) {
        connection.send(new int[1 + i * 100], SendOptions.defaults().tag(i));
      }
      if (round % 2 == 0) {
        // The far side begins to close, while arrays are in flight to it and from it.
        Connection there = Eventually.next("the accepted connection", accepted);
        CompletableFuture<Integer> came = CompletableFuture.supplyAsync(() -> count(connection));
        for (int i = 0; i < each; i++) {
          there.send(new double[i + 1]);
        }
        there.close();
        assertThat(Eventually.get(came)).isEqualTo(each);
      } else {
        accepted.clear();
      }
      connection.close();
      int expected = round * each;
      Eventually.until(() -> taken + " of " + expected, () -> taken.get() == expected);
      accepted.clear();
    }
    assertThat(errors).isEmpty();
  }

  /** How many arrays come until the peer says goodbye. */
  private static int count(Connection connection) {
    int count = 0;
    try {
      while (true) {
        connection.receive();
        count++;
      }
    } catch (ConnectionClosedException e) {
      return count;
    } catch (ArraywireException | InterruptedException e) {
      throw new IllegalStateException("after " + count, e);
    }
  }

  /** New connections have the new certificate, and those that are open stay open. */
  @Test
  void certificatesAreRenewedUnderOpenConnections() throws Exception {
    TestAuthority.Identity first = authority.issue("first", HERE);
    Path certificate = first.writeCertificate(file("renewed.pem"));
    Path key = first.writeKey(file("renewed.key"));
    Listener listener = listener(Tls.server(certificate, key));
    Tls client = client();
    Transport here = stage.transport(options -> options.tls(client));
    Connection open = here.connect(listener.address());
    assertThat(open.describe()).contains("CN=first");
    TestAuthority.Identity second = authority.issue("second", HERE);
    replace(second.writeCertificate(file("new.pem")), certificate);
    // Only one of the two files is new: what was there before still serves.
    here.connect(listener.address()).close();
    replace(second.writeKey(file("new.key")), key);
    Eventually.until(
        "the new certificate",
        () -> {
          try (Connection next = here.connect(listener.address())) {
            return next.describe().contains("CN=second");
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    open.send(new float[] {1}, SendOptions.processed());
    assertThat(open.describe()).contains("CN=first");
    assertThat(errors).isEmpty();
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void filesThatDoNotFitTogetherAreRefusedAtOnce() throws Exception {
    Path certificate = authority.issue("one", HERE).writeCertificate(file("one.pem"));
    Path key = authority.issue("two", HERE).writeKey(file("two.key"));
    assertThatThrownBy(() -> Tls.server(certificate, key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("does not belong to the first certificate", "one.pem", "two.key");
    assertThatThrownBy(() -> Tls.server(certificate, file("none.key")))
        .hasMessageContainingAll("no such file", "none.key");
    assertThatThrownBy(() -> Tls.server(key, key)).hasMessageContaining("no certificate");
    assertThatThrownBy(() -> Tls.server(certificate, certificate))
        .hasMessageContaining("openssl pkcs8");
    assertThatThrownBy(() -> Tls.server(certificate, key).requireClientCertificate())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Tls.client().requireClientCertificate())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("trust(");
  }

  /** What is said of a plain value has no secrets. */
  @Test
  void optionsSayWhichFilesAreUsed() {
    assertThat(List.of(TransportOptions.builder().tls(client()).build().toString()))
        .first()
        .asString()
        .contains("tls=client, trust=", "ca.pem");
  }
}
