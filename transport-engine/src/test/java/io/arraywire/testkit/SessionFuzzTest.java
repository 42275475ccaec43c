package io.arraywire.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.Checksums;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.SessionOffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Fuzzes the handshake of sessions. Peers resume with names and tokens of all kinds, and an
 * authenticator lets them in or not. A few lines of this class say who gets in; the engine must say
 * the same.
 */
@Tag("newest")
class SessionFuzzTest {
  private static final byte[] SESAME = "sesame".getBytes(UTF_8);
  private static final SessionOffer NEW = new SessionOffer(60_000, new byte[0], new byte[0]);
  private static final int MOST_STEPS = 16;

  /** Longer than a thread on a busy machine takes to call an authenticator. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static TransportOptions.Builder options() {
    return EngineBench.options()
        .checksums(Checksums.UNWANTED)
        .sessionTimeout(Duration.ofSeconds(20));
  }

  private static Offer offer(byte[] token, String library, long maxArrayBytes, FlowOffer flow) {
    Offer plain = EngineBench.offer();
    return new Offer(
        plain.encodings(),
        plain.elementTypes(),
        plain.nativeOrder(),
        maxArrayBytes,
        plain.maxFrameBytes(),
        plain.checksums(),
        token,
        library,
        flow);
  }

  private static byte[] hello(byte[] token, SessionOffer session) {
    FlowOffer flow = new FlowOffer(8, 1 << 20, 1 << 20, 0, 64);
    return EngineBench.preambled(
        HandshakeMessage.hello(offer(token, "a test", 1L << 62, flow), session));
  }

  private static byte[] answer(EngineBench bench, byte[] hello) {
    bench.feed(hello);
    long begin = System.nanoTime();
    while (bench.out.size() == 0) {
      check(System.nanoTime() - begin < PATIENCE.toNanos(), "no answer");
      LockSupport.parkNanos(20_000);
      bench.pump();
    }
    byte[] answer = bench.outBytes();
    bench.out.reset();
    return answer;
  }

  private static @Nullable ErrorCode code(HandshakeMessage answer) {
    return answer.fault() == null ? null : answer.fault().code();
  }

  // Sessions.

  /** What the listener should know of the tokens of its session. */
  private static final class Tokens {
    /** Welcomes that nobody has confirmed, of which the tokens are good. */
    private static final int MOST_SUCCESSORS = 4;

    /** Good until a successor was used; empty before there was one. */
    byte[] token = {};

    /** The oldest first. */
    final List<byte[]> successors = new ArrayList<>();

    /** All that were ever given. */
    final List<byte[]> given = new ArrayList<>();

    Tokens(byte[] first) {
      successors.add(first);
      given.add(first);
    }

    boolean isGood(byte[] shown) {
      return shown.length > 0 && (Arrays.equals(shown, token) || place(shown) >= 0);
    }

    private int place(byte[] shown) {
      for (int i = 0; i < successors.size(); i++) {
        if (Arrays.equals(shown, successors.get(i))) {
          return i;
        }
      }
      return -1;
    }

    byte[] last() {
      return successors.isEmpty() ? token : successors.get(successors.size() - 1);
    }

    private void goesOnTo(byte[] shown) {
      int place = place(shown);
      if (place >= 0) {
        token = shown;
        successors.subList(0, place + 1).clear();
      }
    }

    void used(byte[] shown, byte[] next) {
      for (byte[] each : given) {
        check(!Arrays.equals(each, next), "a token is given twice");
      }
      given.add(next);
      goesOnTo(shown);
      successors.add(next);
      if (successors.size() > MOST_SUCCESSORS) {
        successors.remove(0);
      }
    }

    void confirmed() {
      goesOnTo(last());
    }
  }

  /** A session lives through everything but its owner's goodbye, and is its owner's alone. */
  @FuzzTest
  void resume(FuzzedDataProvider data) throws IOException {
    EngineBench first = EngineBench.acceptor(options().authToken(SESAME));
    SessionOffer session = EngineBench.handshakeIn(answer(first, hello(SESAME, NEW))).session();
    check(session.isNamed(), "no session");
    Tokens tokens = new Tokens(session.token());
    byte[] missing =
        answer(
            first.another(),
            hello(SESAME, new SessionOffer(60_000, new byte[16], session.token())));
    EngineBench owner = first;
    for (int i = 0; i < MOST_STEPS && data.remainingBytes() > 0; i++) {
      switch (data.consumeInt(0, 7)) {
        case 0 -> {
          if (owner.connection.isOpen()) {
            owner.feed(RawFrame.control(FrameType.PING, 0));
            owner.out.reset();
            tokens.confirmed();
          }
        }
        case 1 -> {
          owner.wire.failed(new IOException("wire cut"));
          owner.pump();
        }
        default -> {
          EngineBench next = attempt(first, session.id(), tokens, missing, data);
          owner = next == null ? owner : next;
        }
      }
      first.pump();
      owner.pump();
    }
    byte[] good = tokens.last();
    EngineBench last = first.another();
    SessionOffer resumed =
        EngineBench.handshakeIn(
                answer(last, hello(SESAME, new SessionOffer(60_000, session.id(), good))))
            .session();
    check(Arrays.equals(resumed.id(), session.id()), "the owner has lost its session");
    last.feed(RawFrame.control(FrameType.GOODBYE, 0)).end();
    byte[] over =
        answer(
            first.another(),
            hello(SESAME, new SessionOffer(60_000, session.id(), resumed.token())));
    check(Arrays.equals(over, missing), "a session that has ended is not as one that never was");
  }

  /** Somebody connects. Returns the connection if it goes on with the session, else null. */
  private static @Nullable EngineBench attempt(
      EngineBench first, byte[] id, Tokens tokens, byte[] missing, FuzzedDataProvider data)
      throws IOException {
    byte[] own = data.consumeInt(0, 15) == 15 ? data.consumeBytes(10) : SESAME;
    byte[] name = like(id, data);
    byte[] shown = like(data.pickValue(tokens.given.toArray(byte[][]::new)), data);
    long millis = data.consumeInt(0, 7) == 7 ? data.consumeLong(0, 1L << 32) : 60_000;
    EngineBench next = first.another();
    byte[] answer = answer(next, hello(own, new SessionOffer(millis, name, shown)));
    HandshakeMessage read = EngineBench.handshakeIn(answer);
    ErrorCode code = code(read);
    if (!Arrays.equals(own, SESAME)) {
      check(code == ErrorCode.AUTHENTICATION_FAILED, "without the token of all: " + code);
    } else if (name.length == 0) {
      check(!Arrays.equals(read.session().id(), id), "the session of somebody else");
    } else if (millis == 0) {
      check(code != null, "a session that is resumed for no time");
    } else if (Arrays.equals(name, id) && tokens.isGood(shown)) {
      check(code == null, "the owner is refused: " + code);
      check(Arrays.equals(read.session().id(), id), "another session");
      tokens.used(shown, read.session().token());
      return next;
    } else if (millis < 1L << 32) {
      check(Arrays.equals(answer, missing), "another answer than for a missing session: " + code);
    }
    return null;
  }

  /** The same bytes, mostly, or some that are a little different, or very. */
  private static byte[] like(byte[] right, FuzzedDataProvider data) {
    return switch (data.consumeInt(0, 15)) {
      case 11 -> new byte[0];
      case 12 -> data.consumeBytes(40);
      case 13 -> Arrays.copyOf(right, data.consumeInt(1, 2 * right.length));
      case 14 -> {
        byte[] flipped = right.clone();
        flipped[data.consumeInt(0, right.length - 1)] ^= (byte) (1 << data.consumeInt(0, 7));
        yield flipped;
      }
      case 15 -> new byte[data.consumeInt(0, 1000)];
      default -> right;
    };
  }

  // Authenticators.

  /** What an authenticator did: what it saw, and what it answered. */
  private record Asked(
      byte[] token, int channels, int subscriptions, long maxArrayBytes, String library) {}

  /** It sees what the peer says, in whatever words, and the peer hears no more than the answer. */
  @FuzzTest
  void authenticator(FuzzedDataProvider data) throws IOException {
    AtomicReference<@Nullable Asked> asked = new AtomicReference<>();
    int verdict = data.consumeInt(0, 5);
    int channels = data.consumeInt(1, 300);
    long mostBytes = data.consumeLong(0, Long.MAX_VALUE);
    Identity identity = Identity.of("who it is").channels(channels).maxArrayBytes(mostBytes);
    EngineBench bench =
        EngineBench.acceptor(
            options()
                .maxChannels(16)
                .authenticator(peer -> {
                  check(asked.getAndSet(seen(peer)) == null, "asked twice");
                  return switch (verdict) {
                    case 0 -> null;
                    case 1 -> throw new IllegalStateException("the secret database is down");
                    case 2 -> throw new StackOverflowError("a secret");
                    default -> identity;
                  };
                }));
    FlowOffer flow =
        new FlowOffer(
            data.consumeInt(1, 1 << 16), 1 << 20, 1 << 20, 0, data.consumeInt(0, 1 << 16));
    long peersMost = data.consumeLong(0, 1L << 62);
    byte[] token = data.consumeBytes(2000);
    String library = data.consumeString(400);
    Offer peer = offer(token, library, peersMost, flow);
    byte[] answer = answer(bench, EngineBench.preambled(HandshakeMessage.hello(peer)));
    HandshakeMessage read = EngineBench.handshakeIn(answer);
    ErrorCode code = code(read);
    Asked saw = asked.get();
    if (saw == null) {
      check(code != null && code != ErrorCode.AUTHENTICATION_FAILED, "nobody was asked: " + code);
      return;
    }
    check(Arrays.equals(saw.token, token), "another token");
    check(saw.channels == flow.channels(), "another number of channels");
    check(saw.subscriptions == flow.subscriptions(), "another number of subscriptions");
    check(saw.maxArrayBytes == peersMost, "another limit");
    check(saw.library.chars().noneMatch(Character::isISOControl), "control characters");
    String told = new String(answer, UTF_8);
    check(!told.contains("secret") && !told.contains("who it is"), "the peer is told: " + told);
    switch (verdict) {
      case 0 -> check(code == ErrorCode.AUTHENTICATION_FAILED, "none is let in: " + code);
      case 1, 2 -> check(code == ErrorCode.INTERNAL, "no decision: " + code);
      default -> {
        Offer welcome = read.offer();
        check(code == null && welcome != null, "who was let in is refused: " + code);
        check(
            welcome.flow().channels() == Math.min(16, channels),
            "channels: " + welcome.flow().channels());
        check(
            welcome.maxArrayBytes() == Math.min(bench.options.maxArrayBytes(), mostBytes),
            "bytes: " + welcome.maxArrayBytes());
        check(identity.equals(bench.connection.agreement().identity()), "another identity");
      }
    }
  }

  private static Asked seen(Credentials peer) {
    check(peer.certificates().isEmpty() && !peer.resumesSession(), "what nobody has said");
    check(peer.toString().chars().noneMatch(Character::isISOControl), "control characters");
    return new Asked(
        peer.token(), peer.channels(), peer.subscriptions(), peer.maxArrayBytes(), peer.library());
  }
}
