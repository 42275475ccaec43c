package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** The contract finds every fault that it is there to find, and nothing where there is none. */
@Tag("newest")
class CodecContractTest {

  @ParameterizedTest
  @MethodSource("io.arraywire.testkit.BrokenCodec#all")
  void findsTheFault(BrokenCodec broken) {
    Events events = run(broken.codec(), false, selectMethod(Subject.class, broken.check()));

    assertThat(events.failed().count()).as("failed checks").isEqualTo(1);
    assertThat(failure(events.failed().list().get(0))).hasMessageContaining(broken.says());
  }

  @Test
  void everyCheckHasFoundAFault() {
    Set<String> checks =
        Arrays.stream(CodecContract.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(BrokenCodec.all()).extracting(BrokenCodec::check).containsAll(checks);
  }

  @Test
  void findsNothingInARightCodecOfAStandardEncoding() {
    Events events = run(SimpleCodec.of(Encoding.RAW_BIG_ENDIAN), false, selectClass(Subject.class));

    assertThat(events.failed().list()).isEmpty();
    assertThat(events.aborted().list()).isEmpty();
    assertThat(events.succeeded().count()).isEqualTo(11);
  }

  @Test
  void findsNothingInARightCodecOfACustomEncodingThatRefusesBytes() {
    Encoding encoding = Encoding.custom(140, "strict", ByteOrder.BIG_ENDIAN, ElementType::bytes);
    SimpleCodec lenient = SimpleCodec.of(encoding);
    Codec strict =
        lenient.decodingWith((type, source, array, index, count) -> {
          if (type == ElementType.BOOLEAN) {
            for (int i = source.position(); i < source.position() + count; i++) {
              if (source.get(i) < 0 || source.get(i) > 1) {
                throw new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, "neither true nor false");
              }
            }
          }
          lenient.decode(type, source, array, index, count);
        });

    Events events = run(strict, false, selectClass(Subject.class));

    assertThat(events.failed().list()).isEmpty();
    // Only the golden files do not apply.
    assertThat(events.aborted().count()).isEqualTo(1);
  }

  @Test
  void asksForTheToleranceOfALossyCodec() {
    Encoding encoding =
        Encoding.custom(141, "even", ByteOrder.BIG_ENDIAN, type -> type == ElementType.INT ? 4 : 0);
    SimpleCodec exact = SimpleCodec.of(encoding);
    Codec even =
        exact.decodingWith((type, source, array, index, count) -> {
          exact.decode(type, source, array, index, count);
          for (int i = index; i < index + count; i++) {
            ((int[]) array)[i] &= ~1;
          }
        });

    assertThat(run(even, true, selectClass(Subject.class)).failed().list()).isEmpty();
    assertThat(run(even, false, selectClass(Subject.class)).failed().list()).isNotEmpty();
  }

  @Test
  void doesNotAskForToleranceWhereTheEncodingIsAStandardOne() {
    BrokenCodec canonical =
        BrokenCodec.all().stream()
            .filter(broken -> broken.fault().equals("all NaNs made one"))
            .findFirst()
            .orElseThrow();

    Events events = run(canonical.codec(), true, selectMethod(Subject.class, canonical.check()));

    assertThat(events.failed().count()).isEqualTo(1);
  }

  @Test
  void namesTheSeedOfAFailure() {
    BrokenCodec broken = BrokenCodec.all().get(3);

    Events events = run(broken.codec(), false, selectMethod(Subject.class, broken.check()));

    assertThat(failure(events.failed().list().get(0)).getMessage())
        .containsPattern("seed=-?\\d+, repeat with -Darraywire.seed=-?\\d+");
  }

  private static Events run(Codec codec, boolean tolerant, DiscoverySelector selector) {
    Subject.codec = codec;
    Subject.tolerant = tolerant;
    return EngineTestKit.engine("junit-jupiter").selectors(selector).execute().testEvents();
  }

  private static Throwable failure(Event event) {
    return event
        .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
        .getThrowable()
        .orElseThrow();
  }

  /** Run by this class only: a static nested class is not found by itself. */
  static final class Subject extends CodecContract {
    static volatile Codec codec;
    static volatile boolean tolerant;

    @Override
    protected Codec codec() {
      return codec;
    }

    @Override
    protected boolean acceptable(ElementType type, Object sent, Object received) {
      return tolerant && (!(sent instanceof Integer i) || (i & ~1) == (Integer) received);
    }
  }
}
