package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/**
 * Plain mode: what {@code DataOutput} writes, to and from a peer that knows nothing of Arraywire.
 */
interface PlainModeTests {
  TransportStage stage();

  @Test
  default void everyTypeCrossesInBothDirections() {
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        Ends ends = stage().ends(options -> options.plain(type));
        for (int count : new int[] {0, 1, 1000, 65_537, 300_000}) {
          Object source = arrays.array(type, count);
          ends.here().sendAsync(ArraySlice.ofArray(source).as(type));
          Object received = ends.there().receive().slice().array();
          Elements.assertSame(type, source, 0, received, 0, count);
          ends.there().sendAsync(ArraySlice.ofArray(source).as(type));
          Object target = type.newArray(count);
          ReceivedArray back = ends.here().receiveInto(ArraySlice.ofArray(target).as(type));
          assertThat(back.count()).isEqualTo(count);
          Elements.assertSame(type, source, 0, target, 0, count);
        }
        // An orderly close would wait for the far end's own, as after any half close.
        ends.here().closeNow();
      }
    });
  }

  private RawPeer peerOf(Listener listener) throws IOException {
    return stage().closing(stage().rawPeer(listener.address()));
  }

  private Listener plainListener(ElementType type) throws Exception {
    return stage().transport(options -> options.plain(type)).listen(stage().address());
  }

  /** What a legacy application would write. */
  private static byte[] plain(float... elements) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeInt(elements.length);
    for (float element : elements) {
      data.writeFloat(element);
    }
    return bytes.toByteArray();
  }

  @Test
  default void aLegacyPeerIsAnsweredAfterItsHalfClose() throws Exception {
    Listener listener = plainListener(ElementType.FLOAT);
    RawPeer peer = peerOf(listener);
    peer.send(plain(1, 2, 3));
    peer.send(plain());
    peer.send(plain(-0f));
    peer.shutdownOutput();
    Connection connection = listener.accept();
    assertThat(connection.receive().floats()).containsExactly(1, 2, 3);
    assertThat(connection.receive().floats()).isEmpty();
    assertThat(connection.receive().floats()).containsExactly(-0f);
    // An end between two arrays is an orderly end.
    assertThatThrownBy(connection::receive).isInstanceOf(ConnectionClosedException.class);
    connection.send(new float[] {4, 5});
    DataInputStream in = new DataInputStream(peer.in());
    assertThat(in.readInt()).isEqualTo(2);
    assertThat(in.readFloat()).isEqualTo(4);
    assertThat(in.readFloat()).isEqualTo(5);
    connection.close();
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  default void aFramedPeerIsToldThatTheOtherMayBeInPlainMode() throws Exception {
    Listener listener = plainListener(ElementType.FLOAT);
    assertThatThrownBy(() -> stage().transport().connect(listener.address()))
        .hasMessageContaining("it may be in plain mode, or no Arraywire peer");
    assertThatThrownBy(() -> listener.accept().receive())
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.NEGOTIATION_FAILED::isOf)
        .hasMessageStartingWith(
            "the peer is in framed mode and this side in plain mode: set plain at both ends or at"
                + " neither (plainType=float, peer=");
  }

  @Test
  default void aFramedListenerNamesThePlainModeOfItsPeer() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Listener listener = stage().transport().listen(stage().address(), watch);
    stage()
        .transport(options -> options.plain(ElementType.FLOAT))
        .connect(listener.address())
        .sendAsync(ArraySlice.of(new float[3_000_000]));
    assertThat(watch.next())
        .matches(ErrorCode.BAD_MAGIC::isOf)
        .hasMessageContaining("it may be in plain mode: set plain at both ends or at neither");
  }

  /** Nothing is acknowledged in plain mode, so an orderly end would be taken for success. */
  @Test
  default void aFramedListenerDoesNotLetAPlainSenderBelieveThatItTookAnArray() throws Exception {
    assumeTrue(stage().address() instanceof InetSocketAddress, "a reset needs TCP");
    Listener listener = stage().transport().listen(stage().address());
    Connection sender =
        stage().transport(options -> options.plain(ElementType.FLOAT)).connect(listener.address());
    assertThatThrownBy(
            () -> {
              sender.send(ArraySlice.of(new float[] {1, 2, 3}), SendOptions.handedOff());
              sender.close();
            })
        .matches(ErrorCode.CONNECTION_RESET::isOf);
  }

  /** The reset may come before close does: nobody else is left to be told. */
  @Test
  default void aPlainCloseTellsOfAFailureThatWasThereBeforeIt() throws Exception {
    assumeTrue(stage().address() instanceof InetSocketAddress, "a reset needs TCP");
    try (RawPeer.Server server = stage().rawServer()) {
      // Over TLS each side waits for the other.
      Running<RawPeer> accepted = Running.start(server::accept);
      Connection sender =
          stage().transport(options -> options.plain(ElementType.FLOAT)).connect(server.address());
      RawPeer peer = accepted.get();
      sender.send(ArraySlice.of(new float[] {1, 2, 3}), SendOptions.handedOff());
      peer.reset();
      Eventually.until("the reset is here", () -> !sender.isOpen());
      assertThatThrownBy(sender::close)
          .matches(ErrorCode.CONNECTION_RESET::isOf)
          .hasMessageContaining("peer=");
      // Once is enough.
      sender.close();
    }
  }

  @Test
  default void anEndInsideAnArrayIsTruncation() throws Exception {
    byte[] array = plain(1, 2, 3);
    for (int bytes : new int[] {1, 3, 4, 6, 8, array.length - 1}) {
      Listener listener = plainListener(ElementType.FLOAT);
      RawPeer peer = peerOf(listener);
      peer.send(array);
      peer.send(array, 0, bytes);
      peer.shutdownOutput();
      Connection connection = listener.accept();
      assertThat(connection.receive().floats()).containsExactly(1, 2, 3);
      assertThatThrownBy(connection::receive)
          .as(bytes + " bytes")
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf)
          .hasMessageContaining("expected=" + (bytes < 4 ? 4 : 12));
    }
  }

  @Test
  default void impossibleCountsAreRefused() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.plain(ElementType.FLOAT).maxArrayBytes(1000))
            .listen(stage().address());
    RawPeer negative = peerOf(listener);
    negative.send(new byte[] {-1, -1, -1, -1});
    Connection first = listener.accept();
    assertThatThrownBy(first::receive)
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.BAD_LENGTH::isOf)
        .hasMessageContaining("count=-1");
    RawPeer large = peerOf(listener);
    large.send(new byte[] {0, 0, 0, (byte) 251});
    Connection second = listener.accept();
    assertThatThrownBy(second::receive)
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.FRAME_TOO_LARGE::isOf)
        .hasMessageContaining("declared=1004")
        .hasMessageContaining("limit=1000");
  }

  @Test
  default void closeLosesNothingThatWasSent() throws Exception {
    Listener listener = plainListener(ElementType.INT);
    Connection here =
        stage().transport(options -> options.plain(ElementType.INT)).connect(listener.address());
    Connection there = listener.accept();
    for (int i = 0; i < 2000; i++) {
      here.sendAsync(ArraySlice.of(new int[] {i}));
    }
    Running<Void> close = Running.calling(here::close);
    for (int i = 0; i < 2000; i++) {
      assertThat(there.receive().ints()).containsExactly(i);
    }
    assertThatThrownBy(there::receive).isInstanceOf(ConnectionClosedException.class);
    there.close();
    close.get();
  }
}
