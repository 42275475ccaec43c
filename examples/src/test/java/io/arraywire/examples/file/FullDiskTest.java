package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.examples.cli.SmallDisk;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A {@link FileReceiver} on a disk that is full, or becomes so: its operator hears of it. */
@Timeout(60)
class FullDiskTest {
  private static final int DISK_BYTES = 512 << 10;
  private static final int ARRAY_BYTES = 256 << 10;

  /**
   * Room for none of the array, some of it, and all but its end: its 64 pages begin behind a header
   * whose page is there, so that they need one more.
   */
  private static final List<Integer> PAGES_LEFT = List.of(0, 1, 31, 62, 63);

  @TempDir Path dir;

  private final BlockingQueue<IOException> told = new LinkedBlockingQueue<>();
  private Path disk;
  private Path got;
  private OneFile receiver;

  @BeforeEach
  void mount() throws Exception {
    disk = SmallDisk.mount(dir.resolve("small"), DISK_BYTES);
    got = disk.resolve("got.npy");
  }

  @AfterEach
  void unmount() throws Exception {
    if (receiver != null) {
      receiver.close();
    }
    SmallDisk.unmount(disk);
  }

  private void receive(ReceiveTechnique technique) throws IOException {
    receive(technique, told);
  }

  private void receive(ReceiveTechnique technique, BlockingQueue<IOException> reports)
      throws IOException {
    receiver =
        new OneFile(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            got,
            technique,
            1 << 20,
            reports);
  }

  /** A peer that begins an array of so many bytes, and stays. */
  private Socket begun(int bytes) throws IOException {
    Socket socket = new Socket();
    socket.connect(receiver.address());
    HostileSenderTest.greet(socket);
    FrameHeader header = HostileSenderTest.header(0);
    header.arrayBytes = bytes;
    header.count = bytes / 4;
    int payload = Math.min(bytes, ARRAY_BYTES);
    header.payloadBytes = payload;
    CRC32C checksum = new CRC32C();
    checksum.update(new byte[payload], 0, payload);
    header.payloadChecksum = (int) checksum.getValue();
    ByteBuffer frame = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
    header.write(frame);
    socket.getOutputStream().write(frame.array());
    return socket;
  }

  private void sendHonestly() throws Exception {
    Path sent = dir.resolve("sent.npy");
    NpyWriter.write(
        sent,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[] {1, 2, 3}));
    FileTransferTest.send(receiver.address(), ArrayFile.npy(sent), SendTechnique.DIRECT);
    assertThat(receiver.stored().bytes()).isEqualTo(12);
    assertThat(got).hasSameBinaryContentAs(sent);
  }

  /** Also where the peer stays after it was told, and another array is whole meanwhile. */
  @Test
  void anArrayThatIsTooLargeForTheDiskIsToldAtOnce() throws Exception {
    receive(ReceiveTechnique.BUFFER);
    try (Socket peer = begun(2 * DISK_BYTES)) {
      DataInputStream in = new DataInputStream(peer.getInputStream());
      assertThat(HostileSenderTest.readError(in)).isEqualTo(ErrorCode.REJECTED);
      assertThat(told.poll(30, TimeUnit.SECONDS))
          .isInstanceOf(FullDiskException.class)
          .hasMessageStartingWith(
              "the disk is full; nothing of the array was kept; make room, or give another place"
                  + " (file="
                  + got
                  + ", disk="
                  + disk
                  + " (tmpfs), bytes=1048576, usableBytes=");
      sendHonestly();
      assertThat(told).isEmpty();
    }
  }

  /** A terminal that takes no more. */
  @Test
  void aReportThatWaitsHoldsUpNobody() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    BlockingQueue<IOException> waiting =
        new LinkedBlockingQueue<>() {
          @Override
          public boolean add(IOException failed) {
            try {
              read.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return super.add(failed);
          }
        };
    receive(ReceiveTechnique.BUFFER, waiting);
    try (Socket peer = begun(2 * DISK_BYTES)) {
      DataInputStream in = new DataInputStream(peer.getInputStream());
      assertThat(HostileSenderTest.readError(in)).isEqualTo(ErrorCode.REJECTED);
      sendHonestly();
      assertThat(waiting).isEmpty();
    } finally {
      read.countDown();
    }
    assertThat(waiting.poll(30, TimeUnit.SECONDS)).isInstanceOf(FullDiskException.class);
  }

  static Stream<Arguments> techniquesAndPages() {
    return Stream.of(ReceiveTechnique.values())
        .flatMap(each -> PAGES_LEFT.stream().map(pages -> Arguments.of(each, pages)));
  }

  /** There was room when the array began. */
  @ParameterizedTest
  @MethodSource("techniquesAndPages")
  void aDiskThatBecomesFullEndsTheTransferOnly(ReceiveTechnique technique, int pagesLeft)
      throws Exception {
    receive(technique);
    try (Socket peer = begun(ARRAY_BYTES)) {
      Awaitility.await().until(() -> !parts().isEmpty());
      Path other = SmallDisk.fill(disk, pagesLeft);
      peer.getOutputStream().write(new byte[ARRAY_BYTES]);
      assertThat(told.poll(30, TimeUnit.SECONDS))
          .isInstanceOf(FullDiskException.class)
          .hasMessageStartingWith("the disk is full; nothing of the array was kept; make room, or")
          .hasMessageContaining(
              "(file=" + got + ", disk=" + disk + " (tmpfs), bytes=" + ARRAY_BYTES)
          .hasMessageContaining(", cause=");
      peer.setSoTimeout(30_000);
      StringBuilder heard = new StringBuilder();
      while (heard.indexOf("(bytes=262144)") < 0) {
        int next = peer.getInputStream().read();
        assertThat(next).as("%s", heard).isNotNegative();
        heard.append((char) next);
      }
      assertThat(heard.toString())
          .contains("the receiver's disk is full; nothing of the array was kept (bytes=262144)")
          .doesNotContain(got.toString());
      Files.delete(other);
      assertThat(got).doesNotExist();
      sendHonestly();
      assertThat(told).isEmpty();
    }
  }

  private Stream<Path> files() throws IOException {
    return Files.list(disk);
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = files()) {
      return files.filter(file -> file.toString().endsWith(".part")).toList();
    }
  }
}
