package io.arraywire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.testkit.SeededArrays;
import io.arraywire.wire.proto.EncodingName;
import io.arraywire.wire.proto.Fault;
import io.arraywire.wire.proto.Handshake;
import io.arraywire.wire.proto.Hello;
import io.arraywire.wire.proto.Subscribe;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is read and written by hand is what the classes that protoc makes read and write. */
class HandshakeFieldsTest {
  private static Offer offer(SeededArrays arrays) {
    Map<Integer, String> encodings = new TreeMap<>();
    Set<Integer> types = new TreeSet<>();
    for (int i = arrays.between(0, 5); i > 0; i--) {
      encodings.put(arrays.between(1, 255), "name \u00e4 " + i);
      types.add(arrays.between(1, 255));
    }
    return new Offer(
        encodings,
        types,
        arrays.between(0, 1) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
        arrays.between(0, 3) == 0 ? Long.MAX_VALUE : arrays.between(0, 1 << 30),
        arrays.between(0, 3) == 0 ? 0xffff_ffffL : arrays.between(0, 1 << 20),
        arrays.between(0, 1) == 0,
        arrays.bytes(arrays.between(0, 40)),
        arrays.between(0, 1) == 0 ? "" : "library 1.0",
        new FlowOffer(
            arrays.between(1, 1 << 20),
            FlowOffer.LEAST_CREDIT + arrays.between(0, 1 << 30),
            Long.MAX_VALUE,
            arrays.between(0, 1 << 30),
            arrays.between(0, 100)));
  }

  private static Hello.Builder generated(Offer offer, SessionOffer session) {
    Hello.Builder hello =
        Hello.newBuilder()
            .addAllElementTypes(new TreeSet<>(offer.elementTypes()))
            .setNativeOrderValue(offer.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2)
            .setMaxArrayBytes(offer.maxArrayBytes())
            .setMaxFrameBytes((int) offer.maxFrameBytes())
            .setChecksums(offer.checksums())
            .setLibrary(offer.library())
            .setSessionMillis(session.millis())
            .setSession(ByteString.copyFrom(session.id()))
            .setSessionToken(ByteString.copyFrom(session.token()))
            .setChannels(offer.flow().channels())
            .setChannelCredit(offer.flow().channelCredit())
            .setConnectionCredit(offer.flow().connectionCredit())
            .setHeartbeatMillis((int) offer.flow().heartbeatMillis())
            .setSubscriptions(offer.flow().subscriptions());
    new TreeMap<>(offer.encodings())
        .forEach((code, name) ->
            hello.addEncodings(EncodingName.newBuilder().setCode(code).setName(name)));
    return hello;
  }

  private static void assertSame(HandshakeMessage actual, Offer expected, SessionOffer session) {
    Offer offer = actual.offer();
    assertThat(offer).isNotNull();
    assertThat(offer.encodings()).isEqualTo(expected.encodings());
    assertThat(offer.elementTypes()).isEqualTo(expected.elementTypes());
    assertThat(offer.nativeOrder()).isEqualTo(expected.nativeOrder());
    assertThat(offer.maxArrayBytes()).isEqualTo(expected.maxArrayBytes());
    assertThat(offer.maxFrameBytes()).isEqualTo(expected.maxFrameBytes());
    assertThat(offer.checksums()).isEqualTo(expected.checksums());
    assertThat(offer.library()).isEqualTo(expected.library());
    assertThat(offer.flow()).isEqualTo(expected.flow());
    assertThat(actual.session().millis()).isEqualTo(session.millis());
    assertThat(actual.session().id()).isEqualTo(session.id());
    assertThat(actual.session().token()).isEqualTo(session.token());
  }

  /** Also a field that is unknown, and element types one by one, as the encoding allows. */
  @Test
  void hellosAndWelcomes() {
    SeededArrays.check(arrays -> {
      for (int round = 0; round < 200; round++) {
        Offer offer = offer(arrays);
        SessionOffer session =
            new SessionOffer(
                arrays.between(0, 1 << 30),
                arrays.bytes(arrays.between(0, 16)),
                arrays.bytes(arrays.between(0, 16)));
        Hello hello =
            generated(offer, session).setToken(ByteString.copyFrom(offer.token())).build();
        Handshake first = Handshake.newBuilder().setHello(hello).build();
        assertThat(HandshakeMessage.hello(offer, session)).isEqualTo(first.toByteArray());
        Hello welcome = generated(offer, session).setWireVersion(7).build();
        Handshake second = Handshake.newBuilder().setWelcome(welcome).build();
        assertThat(HandshakeMessage.welcome(offer, 7, session)).isEqualTo(second.toByteArray());
        UnknownFieldSet.Field.Builder more = UnknownFieldSet.Field.newBuilder();
        offer.elementTypes().forEach(more::addVarint);
        UnknownFieldSet unknown =
            UnknownFieldSet.newBuilder()
                .addField(2, more.build())
                .addField(23, UnknownFieldSet.Field.newBuilder().addFixed32(4).build())
                .addField(
                    24,
                    UnknownFieldSet.Field.newBuilder()
                        .addGroup(
                            UnknownFieldSet.newBuilder()
                                .addField(
                                    1, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                                .build())
                        .build())
                .build();
        Hello unusual = hello.toBuilder().clearElementTypes().setUnknownFields(unknown).build();
        HandshakeMessage read =
            HandshakeMessage.read(Handshake.newBuilder().setHello(unusual).build().toByteArray());
        assertThat(read.kind()).isEqualTo(HandshakeMessage.Kind.HELLO);
        assertSame(read, offer, session);
        assertThat(read.offer().token()).isEqualTo(offer.token());
        read = HandshakeMessage.read(second.toByteArray());
        assertThat(read.kind()).isEqualTo(HandshakeMessage.Kind.WELCOME);
        assertThat(read.wireVersion()).isEqualTo(7);
        assertSame(read, offer, session);
      }
    });
  }

  @Test
  void faultsAndSubscriptions() throws Exception {
    ProtocolException fault = new ProtocolException(ErrorCode.BAD_LENGTH, "t\u00e4xt");
    Fault expected =
        Fault.newBuilder()
            .setCode(ErrorCode.BAD_LENGTH.number())
            .setText(fault.getMessage())
            .build();
    assertThat(FaultBody.write(fault)).isEqualTo(expected.toByteArray());
    RemoteErrorException read = FaultBody.read(expected.toByteArray());
    assertThat(read.code()).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(read.reason()).isEqualTo(fault.getMessage());
    assertThat(HandshakeMessage.reject(fault))
        .isEqualTo(Handshake.newBuilder().setReject(expected).build().toByteArray());
    assertThat(FaultBody.read(new byte[0]).code()).isEqualTo(ErrorCode.INTERNAL);
    SubscribeBody body = new SubscribeBody("s\u00fcbject", LagPolicy.DROP_NEWEST, Long.MAX_VALUE);
    Subscribe subscribe =
        Subscribe.newBuilder()
            .setSubject(body.subject())
            .setPolicy(3)
            .setQueueBytes(Long.MAX_VALUE)
            .build();
    assertThat(body.write()).isEqualTo(subscribe.toByteArray());
    assertThat(SubscribeBody.read(subscribe.toByteArray())).isEqualTo(body);
  }

  /** The last of the three messages counts, and the same again adds to it. */
  @Test
  void severalMessagesInOne() throws Exception {
    Offer offer = SeededArraysOffer.of(5);
    byte[] hello = HandshakeMessage.hello(offer);
    byte[] reject = HandshakeMessage.reject(new ProtocolException(ErrorCode.BAD_LENGTH, "no"));
    assertThat(HandshakeMessage.read(joined(reject, hello)).kind())
        .isEqualTo(HandshakeMessage.Kind.HELLO);
    assertThat(HandshakeMessage.read(joined(hello, reject)).kind())
        .isEqualTo(HandshakeMessage.Kind.REJECT);
    byte[] more =
        Handshake.newBuilder()
            .setHello(Hello.newBuilder().setLibrary("other"))
            .build()
            .toByteArray();
    HandshakeMessage merged = HandshakeMessage.read(joined(hello, more));
    assertThat(merged.offer().library()).isEqualTo("other");
    assertThat(merged.offer().maxArrayBytes()).isEqualTo(offer.maxArrayBytes());
    assertThatThrownBy(() -> HandshakeMessage.read(new byte[0]))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("neither a hello, a welcome nor a reject");
  }

  private static final class SeededArraysOffer {
    static Offer of(long seed) {
      return offer(SeededArrays.withSeed(seed));
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** What is cut, and what has one byte changed, is refused where the generated classes do so. */
  @Test
  void whatIsNoMessageIsRefused() {
    SeededArrays.check(arrays -> {
      int refused = 0;
      for (int round = 0; round < 20_000; round++) {
        byte[] bytes = HandshakeMessage.hello(offer(arrays));
        int at = arrays.between(0, bytes.length - 1);
        if (arrays.between(0, 3) == 0) {
          bytes = Arrays.copyOf(bytes, at);
        } else {
          bytes[at] = (byte) arrays.between(0, 255);
        }
        boolean malformed = false;
        try {
          Handshake unused = Handshake.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
          malformed = true;
          refused++;
        }
        boolean refusedHere = false;
        try {
          HandshakeMessage unused = HandshakeMessage.read(bytes);
        } catch (ProtocolException e) {
          refusedHere = String.valueOf(e.getMessage()).contains("not the protobuf message");
        }
        assertThat(refusedHere).as("%s", Arrays.toString(bytes)).isEqualTo(malformed);
      }
      assertThat(refused).isGreaterThan(1_000);
    });
  }
}
