package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a cable does, as plain sockets see it. */
class SocketCableTest {
  private static final int PATIENCE_MILLIS = 60_000;

  private final List<Socket> sockets = new ArrayList<>();
  private ServerSocket server;
  private SocketCable cable;

  @BeforeEach
  void lay() throws IOException {
    server = listen();
    cable = new SocketCable(server.getLocalSocketAddress());
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    cable.close();
    server.close();
    assertThatThrownBy(this::dial).isInstanceOf(ConnectException.class);
  }

  private static ServerSocket listen() throws IOException {
    ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
    return server;
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.connect(cable.address(), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /** The reset may come while connect still waits. */
  private void assertDialIsReset() throws IOException {
    Socket here;
    try {
      here = dial();
    } catch (SocketException e) {
      assertThat(e).isNotInstanceOf(ConnectException.class).hasMessageContaining("reset");
      return;
    }
    assertReset(here);
  }

  private Socket accept(ServerSocket listener) throws IOException {
    Socket socket = listener.accept();
    sockets.add(socket);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().readAllBytes())
        .isInstanceOf(SocketException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  private static void assertPasses(Socket from, Socket to) throws IOException {
    from.getOutputStream().write(7);
    assertThat(to.getInputStream().read()).isEqualTo(7);
  }

  @Test
  void bytesPassInBothDirectionsAndEndsTooOneAfterTheOther() throws Exception {
    Socket here = dial();
    Socket there = accept(server);
    assertPasses(here, there);
    assertPasses(there, here);
    here.shutdownOutput();
    assertThat(there.getInputStream().read()).isEqualTo(-1);
    assertPasses(there, here);
    there.close();
    assertThat(here.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aCutResetsEveryConnectionAndTheNextPasses() throws Exception {
    Socket here = dial();
    Socket there = accept(server);
    Socket another = dial();
    accept(server);
    cable.cut();
    assertReset(here);
    assertReset(there);
    assertReset(another);
    assertPasses(dial(), accept(server));
  }

  @Test
  void unpluggedItRefusesUntilItIsPluggedIn() throws Exception {
    Socket here = dial();
    assertPasses(here, accept(server));
    cable.unplug();
    assertReset(here);
    assertThatThrownBy(this::dial).isInstanceOf(ConnectException.class);
    cable.plug();
    assertPasses(dial(), accept(server));
  }

  @Test
  void aListenerThatIsGoneResetsItsCallersUntilTheCableLeadsToAnother() throws Exception {
    server.close();
    assertDialIsReset();
    try (ServerSocket another = listen()) {
      cable.leadTo(another.getLocalSocketAddress());
      assertPasses(dial(), accept(another));
    }
  }
}
