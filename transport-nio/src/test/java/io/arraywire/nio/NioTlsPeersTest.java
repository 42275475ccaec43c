package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.testkit.TestAuthority;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS with peers that have none of our code: OpenSSL, Python's ssl, the JDK's sockets. */
@Tag("ciphers")
@Timeout(120)
class NioTlsPeersTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final float[] ARRAY = {1.5f, -2, 3e7f};

  @TempDir Path folder;
  private Path authorityFile;
  private TestAuthority.Identity server;
  private TestAuthority.Identity client;

  @BeforeEach
  void issue() {
    TestAuthority authority = TestAuthority.named("arraywire test");
    authorityFile = authority.write(folder.resolve("ca.pem"));
    server = authority.issue("server", "localhost", "127.0.0.1");
    client = authority.issue("client");
    server.writeCertificate(folder.resolve("server.pem"));
    server.writeKey(folder.resolve("server.key"));
    client.writeCertificate(folder.resolve("client.pem"));
    client.writeKey(folder.resolve("client.key"));
  }

  private Tls serverTls() {
    return Tls.server(folder.resolve("server.pem"), folder.resolve("server.key"))
        .trust(authorityFile)
        .requireClientCertificate();
  }

  private static TransportOptions plain(Tls tls) {
    return TransportOptions.builder().tls(tls).plain(ElementType.FLOAT).build();
  }

  private static byte[] inPlainMode(float[] array) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    out.writeInt(array.length);
    for (float each : array) {
      out.writeFloat(each);
    }
    return all.toByteArray();
  }

  private static Process start(Object... words) throws IOException {
    List<String> command = List.of(words).stream().map(String::valueOf).toList();
    try {
      return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.PIPE).start();
    } catch (IOException e) {
      assumeTrue(false, words[0] + " is not here");
      throw e;
    }
  }

  private static int port(Listener listener) {
    return ((InetSocketAddress) listener.address()).getPort();
  }

  @Test
  void opensslSendsAnArray() throws Exception {
    BlockingQueue<float[]> came = new LinkedBlockingQueue<>();
    try (Transport transport = NioTransport.create(plain(serverTls()));
        Listener listener =
            transport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofArrays((connection, array) -> came.add(array.floats())))) {
      Process openssl =
          start(
              "openssl",
              "s_client",
              "-quiet",
              "-no_ign_eof",
              "-verify_return_error",
              "-verify_hostname",
              "localhost",
              "-CAfile",
              authorityFile,
              "-cert",
              folder.resolve("client.pem"),
              "-key",
              folder.resolve("client.key"),
              "-connect",
              "localhost:" + port(listener));
      try {
        openssl.getOutputStream().write(inPlainMode(ARRAY));
        openssl.getOutputStream().close();
        float[] first = came.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(first).containsExactly(ARRAY);
        assertThat(openssl.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        openssl.destroyForcibly();
      }
    }
  }

  /** It has no extension, so nothing newer than what it says. */
  @Test
  void aPeerThatKnowsTls11OnlyIsRefused() throws Exception {
    BlockingQueue<ArraywireException> ends = new LinkedBlockingQueue<>();
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {}

          @Override
          public void onClosed(Connection connection, @Nullable ArraywireException cause) {
            if (cause != null) {
              ends.add(cause);
            }
          }
        };
    byte[] hello = new byte[52];
    byte[] begin = {22, 3, 1, 0, 47, 1, 0, 0, 43, 3, 2};
    byte[] suites = {0, 0, 4, (byte) 0xc0, 0x13, 0, 0x2f, 1, 0};
    System.arraycopy(begin, 0, hello, 0, begin.length);
    System.arraycopy(suites, 0, hello, hello.length - suites.length, suites.length);
    TransportOptions options = TransportOptions.builder().tls(serverTls()).build();
    try (Transport transport = NioTransport.create(options);
        Listener listener =
            transport.listen(new InetSocketAddress("localhost", 0), Handlers.ofArrays(handler));
        Socket old = new Socket("localhost", port(listener))) {
      old.getOutputStream().write(hello);
      byte[] alert = old.getInputStream().readNBytes(7);
      // Fatal, protocol_version.
      assertThat(alert).startsWith(21, 3).endsWith(0, 2, 2, 70);
      assertThat(ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).matches(ErrorCode.TLS_FAILED::isOf);
    }
  }

  @Test
  void opensslSaysWhatWasAgreedOn() throws Exception {
    Tls tls = Tls.server(folder.resolve("server.pem"), folder.resolve("server.key"));
    try (Transport transport = NioTransport.create(TransportOptions.builder().tls(tls).build());
        Listener listener =
            transport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofArrays((connection, array) -> {}))) {
      Process openssl =
          start(
              "openssl",
              "s_client",
              "-verify_return_error",
              "-verify_hostname",
              "localhost",
              "-CAfile",
              authorityFile,
              "-connect",
              "localhost:" + port(listener));
      try {
        openssl.getOutputStream().close();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
            .contains("TLSv1.3", "TLS_AES_128_GCM_SHA256", "Verify return code: 0 (ok)");
      } finally {
        openssl.destroyForcibly();
      }
    }
  }

  @Test
  void opensslReceivesAnArray() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process openssl =
        start(
            "openssl",
            "s_server",
            "-quiet",
            "-naccept",
            "1",
            "-cert",
            folder.resolve("server.pem"),
            "-key",
            folder.resolve("server.key"),
            "-accept",
            "127.0.0.1:" + port);
    try (Transport transport = NioTransport.create(plain(Tls.client().trust(authorityFile)))) {
      Connection connection = null;
      long begin = System.nanoTime();
      while (connection == null) {
        try {
          connection = transport.connect(new InetSocketAddress("localhost", port));
        } catch (ConnectFailedException e) {
          // It has not begun to listen.
          assertThat(openssl.isAlive()).isTrue();
          assertThat(System.nanoTime() - begin)
              .isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
        }
      }
      connection.send(ARRAY);
      byte[] expected = inPlainMode(ARRAY);
      assertThat(openssl.getInputStream().readNBytes(expected.length)).isEqualTo(expected);
      connection.closeNow();
    } finally {
      openssl.destroyForcibly();
    }
  }

  /** With a certificate of its own, and an end that both sides agree on. */
  @Test
  void pythonSendsAndReceivesAnArray() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("peer.py"),
            """
            import socket, ssl, struct, sys
            port, folder = int(sys.argv[1]), sys.argv[2]
            context = ssl.create_default_context(cafile=folder + "/ca.pem")
            context.load_cert_chain(folder + "/client.pem", folder + "/client.key")
            with socket.create_connection(("localhost", port)) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as s:
                    sent = struct.pack(">i3f", 3, 1.5, -2, 3e7)
                    s.sendall(sent)
                    got = b""
                    while len(got) < len(sent):
                        piece = s.recv(1024)
                        assert piece, "ended early"
                        got += piece
                    version = s.version()
                    s.unwrap()
                    print("same" if got == sent else got, version)
            """);
    try (Transport transport = NioTransport.create(plain(serverTls()));
        Listener listener =
            transport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofArrays((connection, array) -> connection.send(array.floats())))) {
      Process python = start("python3", script, port(listener), folder);
      try {
        python.getOutputStream().close();
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String complaint =
            new String(python.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).as(complaint).isEqualTo("same TLSv1.3\n");
      } finally {
        python.destroyForcibly();
      }
    }
  }

  /** TLS 1.2 lets a peer begin the handshake again, as often as it likes: not here. */
  @Test
  void aPeerThatNegotiatesAgainIsCutOff() throws Exception {
    BlockingQueue<ArraywireException> errors = new LinkedBlockingQueue<>();
    TransportOptions options =
        TransportOptions.builder()
            .tls(Tls.server(folder.resolve("server.pem"), folder.resolve("server.key")))
            .plain(ElementType.FLOAT)
            .observer(
                new TransportObserver() {
                  @Override
                  public void error(Connection connection, ArraywireException error) {
                    errors.add(error);
                  }
                })
            .build();
    BlockingQueue<float[]> came = new LinkedBlockingQueue<>();
    try (Transport transport = NioTransport.create(options);
        Listener listener =
            transport.listen(
                new InetSocketAddress("localhost", 0),
                Handlers.ofArrays((connection, array) -> came.add(array.floats())))) {
      SSLContext context = client.context();
      try (SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket("localhost", port(listener))) {
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.getOutputStream().write(inPlainMode(ARRAY));
        assertThat(came.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).containsExactly(ARRAY);
        try {
          socket.startHandshake();
          socket.getInputStream().read();
        } catch (IOException e) {
          // Cut off.
        }
        ArraywireException error = errors.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(error).isNotNull();
        assertThat(error.code()).isEqualTo(ErrorCode.TLS_FAILED);
        assertThat(error).hasMessageContaining("negotiate again");
      }
    }
  }

  @Test
  void unixDomainSocketsHaveTls() throws Exception {
    Tls tls = serverTls();
    BlockingQueue<String> came = new LinkedBlockingQueue<>();
    SocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (Transport transport = NioTransport.create(TransportOptions.builder().tls(tls).build());
        Listener listener =
            transport.listen(
                address,
                Handlers.ofArrays((connection, array) -> came.add(connection.describe())));
        Connection connection = transport.connect(listener.address())) {
      connection.send(ARRAY);
      assertThat(came.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("TLSv1.3", "CN=server");
    }
  }
}
