package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers of a {@link FileReceiver} that do nothing, or next to nothing. */
@Timeout(60)
class FileStrangersTest {
  private static final long LIMIT = 1 << 20;
  private static final Patience SHORT = patience(Duration.ofMillis(300), Duration.ofMillis(300));

  @TempDir Path dir;

  private final BlockingQueue<IOException> failures = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private OneFile receiver;

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    receiver.close();
    assertThat(parts()).isZero();
  }

  private void receive(Path into, Patience patience) throws IOException {
    receiver =
        new OneFile(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            into,
            ReceiveTechnique.BUFFER,
            LIMIT,
            failures,
            patience);
  }

  private void receive(Patience patience) throws IOException {
    receive(dir.resolve("got.npy"), patience);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.connect(receiver.address());
    return socket;
  }

  private Socket greeted() throws IOException {
    Socket socket = connect();
    HostileSenderTest.greet(socket);
    return socket;
  }

  /** A header that declares an array as large as may be, and none of its bytes. */
  private Socket declaring() throws IOException {
    Socket socket = greeted();
    FrameHeader header = HostileSenderTest.header(0);
    header.arrayBytes = LIMIT;
    header.count = LIMIT / 4;
    ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    header.write(bytes);
    socket.getOutputStream().write(bytes.array());
    return socket;
  }

  private static Patience patience(Duration each, Duration crowded) {
    return new Patience(each, each, each, crowded);
  }

  /** What an honest sender does, which is told that its array is stored. */
  private void sendHonestly() throws Exception {
    Path sent = dir.resolve("sent.npy");
    NpyWriter.write(
        sent,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[] {1, 2, 3}));
    FileTransferTest.send(receiver.address(), ArrayFile.npy(sent), SendTechnique.DIRECT);
    assertThat(receiver.stored().bytes()).isEqualTo(12);
    assertThat(dir.resolve("got.npy")).hasSameBinaryContentAs(sent);
  }

  @Test
  void strangersThatDoNothingHoldUpNobody() throws Exception {
    receive(Patience.DEFAULT);
    connect();
    greeted();
    declaring();
    sendHonestly();
    assertThat(failures).isEmpty();
  }

  @Test
  void aFileThatIsMadeMeanwhileEndsTheReceiverWhateverItsPathSays() throws Exception {
    Path made = dir.resolve("no space, disk quota.npy");
    receive(made, Patience.DEFAULT);
    Files.writeString(made, "of somebody else");
    assertThatThrownBy(this::sendHonestly);
    assertThatThrownBy(receiver::stored).hasMessageContaining("the file exists already");
    assertThat(made).hasContent("of somebody else");
  }

  /** The command has failed by then, so nobody must be told that the file is there. */
  @Test
  void anArrayThatIsWholeAfterTheReceiverFailedIsRefused() throws Exception {
    Path got = dir.resolve("got.npy");
    receive(Patience.DEFAULT);
    Socket slower = greeted();
    HostileSenderTest.write(slower, HostileSenderTest.header(0));
    Awaitility.await().until(() -> parts() == 1);
    Files.writeString(got, "of somebody else");
    assertThatThrownBy(this::sendHonestly);
    assertThatThrownBy(receiver::stored).hasMessageContaining("the file exists already");
    Files.delete(got);
    HostileSenderTest.write(slower, HostileSenderTest.header(HostileSenderTest.PAYLOAD));
    slower.setSoTimeout(30_000);
    byte[] heard = new byte[4096];
    StringBuilder words = new StringBuilder();
    while (words.indexOf("the receiver takes no more arrays") < 0) {
      int some = slower.getInputStream().read(heard);
      assertThat(some).as("%s", words).isNotNegative();
      words.append(new String(heard, 0, some, StandardCharsets.ISO_8859_1));
    }
    assertThat(got).doesNotExist();
  }

  @Test
  void strangersThatShakeHandsAndLeaveEndNothing() throws Exception {
    receive(Patience.DEFAULT);
    connect().close();
    greeted().close();
    declaring().close();
    for (int i = 0; i < 3; i++) {
      assertThat(failures.poll(30, TimeUnit.SECONDS)).isNotNull();
    }
    sendHonestly();
  }

  @Test
  void aCrowdOfStrangersKeepsNobodyOut() throws Exception {
    receive(Patience.DEFAULT);
    for (int i = 0; i < FilePeers.MOST + 10; i++) {
      connect();
    }
    sendHonestly();
  }

  /** Each sends as little as its deadlines allow: together they would have every place for ever. */
  @Test
  void aCrowdThatTricklesKeepsNobodyOut() throws Exception {
    Duration patient = Duration.ofSeconds(60);
    receive(patience(patient, Duration.ofNanos(1)));
    fillPlaces();
    // No honest one yet: where its file is whole before room is made, nobody is told any more.
    declaring();
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_PEER::isOf)
        .hasMessageContaining("too slowly and had to make room for others (connections=64,")
        .hasMessageContaining("leastBytes=65536, time=");
    sendHonestly();
  }

  /** However many come: none of them takes the place of an array that makes progress. */
  @Test
  void aCrowdThatMakesProgressKeepsItsPlaces() throws Exception {
    Duration patient = Duration.ofSeconds(60);
    receive(patience(patient, patient));
    fillPlaces();
    assertThat(isTurnedAway()).isTrue();
    assertThat(failures).isEmpty();
    sockets.get(0).close();
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.TRUNCATED::isOf);
    sendHonestly();
  }

  /** Every place holds an array that has begun. */
  private void fillPlaces() throws Exception {
    for (int i = 0; i < FilePeers.MOST; i++) {
      declaring();
    }
    Awaitility.await().until(() -> parts() == FilePeers.MOST);
  }

  /** Whether a peer's connection ends soon after its handshake, if not before. */
  private boolean isTurnedAway() throws IOException {
    Socket socket = connect();
    socket.setSoTimeout(30_000);
    try {
      HostileSenderTest.greet(socket);
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  private long parts() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> file.toString().endsWith(".part")).count();
    }
  }

  @Test
  void eachStepHasItsDeadline() throws Exception {
    receive(SHORT);
    connect();
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf);
    greeted();
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.IDLE_TIMEOUT::isOf)
        .hasMessageContaining("the peer sent no array for too long");
    declaring();
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_PEER::isOf)
        .hasMessageContaining("leastBytes=65536");
    sendHonestly();
  }

  @Test
  void aFloodOfPingsEnds() throws Exception {
    receive(Patience.DEFAULT);
    Socket socket = greeted();
    ByteBuffer ping = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    new FrameHeader().clear(FrameType.PING).write(ping);
    for (int i = 0; i < 201; i++) {
      socket.getOutputStream().write(ping.array());
    }
    assertThat(failures.poll(30, TimeUnit.SECONDS))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.CONTROL_FLOOD::isOf)
        .hasMessageContaining("type=PING, limit=200");
    sendHonestly();
  }

  /** Bytes that trickle are not progress. */
  @Test
  void anArrayOfSingleBytesEnds() throws Exception {
    receive(SHORT);
    Socket socket = greeted();
    FrameHeader header = HostileSenderTest.header(0);
    header.arrayBytes = LIMIT;
    header.count = LIMIT / 4;
    header.payloadBytes = LIMIT / 2;
    ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    header.write(bytes);
    socket.getOutputStream().write(bytes.array());
    IOException failure = null;
    try {
      while (failure == null) {
        socket.getOutputStream().write(0);
        failure = failures.poll(20, TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      failure = failures.poll(30, TimeUnit.SECONDS);
    }
    assertThat(failure)
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SLOW_PEER::isOf);
  }

  /** Progress is 64 KiB, though a sink is given 256 KiB at a time. */
  @Test
  void aSlowArrayThatMakesProgressIsKept() throws Exception {
    int payload = (int) Pace.LEAST_BYTES;
    int frames = 8;
    long bytes = (long) frames * payload;
    Duration patient = Duration.ofSeconds(60);
    receive(new Patience(patient, patient, Duration.ofSeconds(3), patient));
    Socket socket = greeted();
    CRC32C checksum = new CRC32C();
    checksum.update(new byte[payload], 0, payload);
    for (int i = 0; i < frames; i++) {
      FrameHeader header = HostileSenderTest.header(i * payload);
      header.count = bytes / Float.BYTES;
      header.arrayBytes = i == 0 ? bytes : (long) i * payload / Float.BYTES;
      header.payloadBytes = payload;
      header.payloadChecksum = (int) checksum.getValue();
      ByteBuffer frame = ByteBuffer.allocate(FrameLayout.HEADER_BYTES + payload);
      header.write(frame);
      socket.getOutputStream().write(frame.array());
      if (i < 5) {
        // A slow sender; 256 KiB take it longer than its deadline is.
        Thread.sleep(1000);
      }
    }
    assertThat(receiver.stored().bytes()).isEqualTo(bytes);
    assertThat(failures).isEmpty();
  }

  /** The file is whole: a peer that does not go keeps it from nobody. */
  @Test
  void aSenderThatDoesNotGoIsNotWaitedForForEver() throws Exception {
    receive(SHORT);
    Socket socket = greeted();
    HostileSenderTest.write(socket, HostileSenderTest.header(0));
    HostileSenderTest.write(socket, HostileSenderTest.header(64));
    assertThat(receiver.stored().bytes()).isEqualTo(128);
  }
}
