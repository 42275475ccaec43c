package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check of the contract finds a fault. */
class BlockCodecContractTest {
  private static final Codec RIGHT = RunsCodec.CODEC;

  private static SimpleCodec right() {
    return SimpleCodec.of(RunsCodec.ENCODING)
        .encodingWith(RIGHT::encode)
        .decodingWith(RIGHT::decode);
  }

  private static BlockCodecContract contract(Codec codec) {
    return new BlockCodecContract() {
      @Override
      protected Codec codec() {
        return codec;
      }
    };
  }

  private static Broken broken(String check, Codec codec, String says) {
    return new Broken(check, codec, says);
  }

  static Stream<Broken> faults() {
    SimpleCodec fewer =
        right()
            .decodingWith((type, source, array, index, count) -> {
              Object all = type.newArray(count);
              RIGHT.decode(type, source, all, 0, count);
              System.arraycopy(all, 0, array, index, count - 1);
            });
    SimpleCodec credulous =
        right()
            .decodingWith((type, source, array, index, count) -> {
              try {
                RIGHT.decode(type, source, array, index, count);
              } catch (ProtocolException e) {
                NaiveElements.setBits(type, array, index, 0);
              }
              source.position(source.limit());
            });
    SimpleCodec untyped =
        right()
            .decodingWith((type, source, array, index, count) -> {
              try {
                RIGHT.decode(type, source, array, index, count);
              } catch (ProtocolException e) {
                throw new IllegalStateException("not a block", e);
              }
            });
    AtomicReference<Thread> owner = new AtomicReference<>();
    SimpleCodec ofOneThread =
        right()
            .encodingWith((type, array, index, count, target) -> {
              owner.compareAndSet(null, Thread.currentThread());
              if (owner.get() != Thread.currentThread()) {
                throw new IllegalStateException("another thread");
              }
              RIGHT.encode(type, array, index, count, target);
            });
    return Stream.of(
        broken("describesItself", right().asking(() -> CodecTraits.VERBATIM), "verbatim"),
        broken("givesBackWhatItWasGiven", fewer, "not written"),
        broken(
            "givesBackWhatItWasGiven",
            right()
                .encodingWith(
                    (type, array, index, count, target) -> target.limit(target.capacity())),
            "limit after"),
        broken(
            "makesZerosSmaller",
            right().encodingWith((type, array, index, count, target) -> {}),
            "zeros"),
        broken("refusesBlocksOfAnotherLength", credulous, ""),
        broken("refusesBlocksOfAnotherCount", credulous, ""),
        broken("decodesOrRefusesAnyBytes", untyped, "threw"),
        broken("servesManyThreads", ofOneThread, "another thread"));
  }

  record Broken(String check, Codec codec, String says) {
    ThrowingCallable run() {
      BlockCodecContract contract = contract(codec);
      return switch (check) {
        case "describesItself" -> contract::describesItself;
        case "givesBackWhatItWasGiven" -> contract::givesBackWhatItWasGiven;
        case "makesZerosSmaller" -> contract::makesZerosSmaller;
        case "refusesBlocksOfAnotherLength" -> contract::refusesBlocksOfAnotherLength;
        case "refusesBlocksOfAnotherCount" -> contract::refusesBlocksOfAnotherCount;
        case "decodesOrRefusesAnyBytes" -> contract::decodesOrRefusesAnyBytes;
        default -> contract::servesManyThreads;
      };
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void findsTheFault(Broken broken) {
    assertThatThrownBy(broken.run()).hasStackTraceContaining(broken.says());
  }

  @Test
  void everyCheckHasFoundAFault() {
    Set<String> checks =
        Arrays.stream(BlockCodecContract.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toSet());
    assertThat(faults().map(Broken::check)).containsAll(checks);
  }
}
