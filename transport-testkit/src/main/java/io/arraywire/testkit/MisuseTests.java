package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.BindFailedException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.Transport;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Mistakes of callers are told to them at once, with names and values, and cost nobody anything.
 */
interface MisuseTests {
  TransportStage stage();

  private static void refused(
      ThrowingCallable call, Class<? extends Throwable> type, String... text) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(type)
        .satisfies(thrown ->
            assertThat(thrown).message().contains(text.length == 0 ? new String[] {""} : text));
  }

  @Test
  @SuppressWarnings("NullAway") // That is the mistake.
  default void whatIsNullIsNamed() throws Exception {
    Ends ends = stage().ends();
    Connection here = ends.here();
    Class<NullPointerException> type = NullPointerException.class;
    refused(() -> here.send((ArraySlice) null), type, "source");
    refused(() -> here.send(ArraySlice.of(new int[1]), null), type, "options");
    refused(() -> here.offer((ArraySlice) null), type, "source");
    refused(() -> here.receiveInto((ArraySlice) null), type, "target");
    refused(() -> here.subscribe(null, SubscribeOptions.defaults()), type, "subject");
    refused(() -> here.subscribe("news", null), type, "options");
    refused(() -> stage().transport().connect(null), type, "address");
    refused(() -> stage().transport().listen(null), type, "address");
    try (Listener listener = stage().transport().listen(stage().address())) {
      refused(() -> listener.publish(null, ArraySlice.of(new int[1])), type, "subject");
      refused(() -> listener.publish("news", (ArraySlice) null), type, "source");
      assertThat(listener.toString()).contains("listener", listener.address().toString());
    }
    assertThat(stage().transport().toString()).contains(stage().transport().name()).contains(" ");
    // All of it was noticed before anything was done.
    assertThat(here.isOpen()).isTrue();
  }

  @Test
  default void whyAnAddressCannotBeListenedOnIsSaidInWords() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    SocketAddress address = listener.address();
    if (address instanceof UnixDomainSocketAddress unix) {
      cannotListen(
          transport,
          address,
          "cannot listen: the file exists; remove it if no process listens there");
      Path missing = unix.getPath().resolveSibling("no-such-directory").resolve("socket");
      cannotListen(
          transport,
          UnixDomainSocketAddress.of(missing),
          "cannot listen: there is no such directory");
      Path tooLong = unix.getPath().resolveSibling("x".repeat(200));
      cannotListen(
          transport,
          UnixDomainSocketAddress.of(tooLong),
          "cannot listen: the path of the socket file is too long; use a shorter one");
    } else if (address instanceof InetSocketAddress) {
      cannotListen(
          transport,
          address,
          "cannot listen: the port is in use; end what listens there, or listen on port 0");
      cannotListen(
          transport,
          new InetSocketAddress("192.0.2.1", 0),
          "cannot listen: the address is not one of this host; listen on one that it has, or on all");
      cannotListen(
          transport,
          InetSocketAddress.createUnresolved("no-such-host.invalid", 0),
          "cannot listen: the host is unknown; correct its name");
    } else {
      cannotListen(transport, address, "cannot listen: ");
    }
  }

  private static void cannotListen(Transport transport, SocketAddress address, String text) {
    assertThatThrownBy(() -> transport.listen(address))
        .isInstanceOf(BindFailedException.class)
        .hasMessageStartingWith(text)
        .message()
        .hasSizeLessThan(300);
    // A message cuts a path that is too long; the details have all of it.
    assertThatExceptionOfType(BindFailedException.class)
        .isThrownBy(() -> transport.listen(address))
        .extracting(BindFailedException::details, InstanceOfAssertFactories.STRING)
        .contains("(address=" + address);
  }

  @Test
  @SuppressWarnings("NullAway") // Null is one of the mistakes.
  default void mistakesOnAConnectionAreRefusedBeforeAByteIsSent() throws Exception {
    Ends ends = stage().ends();
    Connection here = ends.here();
    Class<NullPointerException> isNull = NullPointerException.class;
    Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
    Class<IllegalArgumentException> bad = IllegalArgumentException.class;
    ArraySlice slice = ArraySlice.of(new int[6]);

    refused(() -> here.send((float[]) null), isNull);
    refused(() -> here.send((ArraySlice) null), isNull, "source");
    refused(() -> here.send(slice, null), isNull, "options");
    refused(() -> here.sendAsync((ArraySlice) null, SendOptions.processed()), isNull, "source");
    refused(() -> here.sendAsync(slice, null), isNull, "options");
    refused(() -> here.receiveInto((ArraySlice) null), isNull, "target");
    refused(() -> here.receiveInto(ArraySlice.of((int[]) null, 0, 0)), isNull);

    refused(() -> here.send(ArraySlice.of(new float[8], 5, 10)), outside, "5", "10", "8");
    refused(() -> here.send(ArraySlice.of(new float[8], -1, 2)), outside, "-1", "8");
    refused(() -> here.send(ArraySlice.of(new float[8], 2, -1)), outside, "-1", "8");
    refused(() -> here.send(ArraySlice.of(new long[8], Integer.MAX_VALUE, 2)), outside, "8");
    refused(
        () -> here.sendAsync(ArraySlice.of(new byte[8], 8, 1), SendOptions.processed()),
        outside,
        "8");
    refused(() -> here.receiveInto(ArraySlice.of(new int[8], 7, 2)), outside, "7", "2", "8");

    refused(
        () -> here.send(slice, SendOptions.handedOff().shape(2, 2)),
        bad,
        "give dimensions that multiply to length",
        "shape=[2, 2]",
        "length=6");
    refused(
        () -> here.sendAsync(slice, SendOptions.handedOff().shape(7)),
        bad,
        "shape=[7]",
        "length=6");

    // Nothing of all that reached the far side.
    here.send(new int[] {42});
    assertThat(ends.there().receive().header().sequence()).isEqualTo(1);
  }

  @Test
  default void aTypeThatWasNotAgreedIsRefusedBeforeAByteIsSent() throws Exception {
    Encoding floatsOnly =
        Encoding.custom(
            200, "floats", ByteOrder.BIG_ENDIAN, type -> type == ElementType.FLOAT ? 4 : 0);
    Ends ends = stage().ends(options -> options.codecs(new CustomCodec(floatsOnly)));
    refused(
        () -> ends.here().send(new int[1]),
        IllegalArgumentException.class,
        "send one that was, or give both sides a codec that has it",
        "type=int",
        "agreed=[FLOAT]",
        "codecs=[");
    refused(
        () -> ends.here().sendAsync(ArraySlice.of(new boolean[1]), SendOptions.processed()),
        IllegalArgumentException.class,
        "type=boolean");
    ends.here().send(new float[] {1});
    assertThat(ends.there().receive().header().sequence()).isEqualTo(1);
  }

  @Test
  default void plainModeRefusesWhatItCannotCarry() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.FLOAT));
    Class<IllegalArgumentException> bad = IllegalArgumentException.class;
    ArraySlice slice = ArraySlice.of(new float[6]);
    refused(() -> ends.here().send(new int[1]), bad, "type=int", "agreed=[FLOAT]");
    refused(
        () -> ends.here().send(slice, SendOptions.processed()),
        bad,
        "plain mode has no acknowledgements; send handedOff",
        "delivery=PROCESSED");
    refused(
        () -> ends.here().send(slice, SendOptions.handedOff().tag(5)), bad, "leave tag", "tag=5");
    refused(() -> ends.here().send(slice, SendOptions.handedOff().shape(6)), bad, "shape=[6]");
    refused(
        () -> ends.here().sendAsync(slice, SendOptions.handedOff().metadata("unit", "K")),
        bad,
        "metadataBytes=16");
    ends.here().send(new float[] {1});
    assertThat(ends.there().receive().floats()).containsExactly(1);
  }

  @Test
  default void aConnectionOrListenerWithAHandlerIsNotAskedForArraysOrPeers() throws Exception {
    Inboxes handler = new Inboxes();
    Listener listener = stage().transport().listen(stage().address(), handler);
    Connection connection = stage().transport().connect(listener.address(), new ClosedWatch());
    Class<IllegalStateException> wrong = IllegalStateException.class;
    refused(connection::receive, wrong, "handler=", "ClosedWatch");
    refused(connection::receiveLeased, wrong, "handler=");
    refused(() -> connection.receiveInto(ArraySlice.of(new int[1], 0, 1)), wrong, "handler=");
    refused(listener::accept, wrong, "handler");
    connection.send(new int[1]);
  }

  /** A handler that does nothing. */
  final class Inboxes implements ArrayHandler {
    @Override
    public void onArray(Connection connection, ReceivedArray array) {}
  }

  @Test
  default void aClosedConnectionRefusesEverything() throws Exception {
    Ends ends = stage().ends();
    ends.here().close();
    Class<ConnectionClosedException> closed = ConnectionClosedException.class;
    refused(() -> ends.here().send(new int[1]), closed, "the connection was closed here");
    refused(() -> ends.here().receive(), closed, "closed here");
    refused(() -> ends.here().receiveLeased(), closed, "closed here");
    refused(() -> ends.here().receiveInto(ArraySlice.of(new int[1], 0, 1)), closed, "closed here");
    assertThat(
            Eventually.failure(
                ends.here().sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())))
        .isInstanceOf(closed);
    Eventually.until("the close is heard of", () -> !ends.there().isOpen());
    refused(() -> ends.there().send(new int[1]), closed, "closed by the peer");
    refused(() -> ends.there().receive(), closed, "closed by the peer");
  }

  @Test
  default void aLeaseRefusesWhatItIsNot() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new float[] {1, 2});
    LeasedArray lease = ends.there().receiveLeased();
    refused(() -> lease.ints(0), IllegalStateException.class, "float", "int");
    refused(() -> lease.floats(1), IndexOutOfBoundsException.class, "1");
    refused(
        () -> lease.copyTo(ArraySlice.of(new float[1])),
        TargetMismatchException.class,
        "count=2",
        "room=1");
    lease.close();
    lease.close();
    refused(() -> lease.floats(0), IllegalStateException.class, "closed");
    refused(() -> lease.copyTo(ArraySlice.of(new float[2])), IllegalStateException.class, "closed");
  }

  @Test
  @SuppressWarnings("NullAway") // Null is one of the mistakes.
  default void mistakesOnATransportAreRefused() throws Exception {
    Transport transport = stage().transport();
    SocketAddress foreign = new ForeignAddress();
    refused(() -> transport.connect(null), NullPointerException.class, "address");
    refused(() -> transport.listen(null), NullPointerException.class, "address");
    refused(
        () -> transport.connect(stage().address(), (Handlers) null),
        NullPointerException.class,
        "handler");
    refused(
        () -> transport.listen(stage().address(), (Handlers) null),
        NullPointerException.class,
        "handler");
    refused(
        () -> transport.connect(foreign),
        IllegalArgumentException.class,
        "address=nowhere",
        "ForeignAddress");
    refused(
        () -> transport.listen(foreign),
        IllegalArgumentException.class,
        "address=nowhere",
        "ForeignAddress");
  }

  /** An address of no family that anybody knows. */
  final class ForeignAddress extends SocketAddress {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return "nowhere";
    }
  }
}
