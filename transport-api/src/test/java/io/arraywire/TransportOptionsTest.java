package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransportOptionsTest {

  /** Accessor, the words of its javadoc, the value. */
  static List<Arguments> defaults() {
    return List.of(
        arguments("codecs", "empty", List.of()),
        arguments("plainType", "null", null),
        arguments("maxArrayBytes", "1 GiB", 1L << 30),
        arguments("maxFrameBytes", "1 MiB", 1 << 20),
        arguments("chunkBytes", "64 KiB", 64 << 10),
        arguments("inboxBytes", "1 MiB", 1 << 20),
        arguments("connectionInboxBytes", "16 MiB", 16 << 20),
        arguments("sendQueueBytes", "16 MiB", 16 << 20),
        arguments("memoryBudgetBytes", "0", 0L),
        arguments("arrivalBytes", "0", 0L),
        arguments("sendBufferBytes", "0", 0),
        arguments("receiveBufferBytes", "0", 0),
        arguments("maxChannels", "256", 256),
        arguments("maxSubscriptions", "64", 64),
        arguments("checksums", "ACROSS_HOSTS", Checksums.ACROSS_HOSTS),
        arguments("adaptiveCompression", "ACROSS_HOSTS", AdaptiveCompression.ACROSS_HOSTS),
        arguments("authToken", "null", null),
        arguments("tokenWithoutTls", "false", false),
        arguments("authenticator", "null", null),
        arguments("acceptLimits", "{@link AcceptLimits#defaults()}", AcceptLimits.defaults()),
        arguments("tls", "null", null),
        arguments("connectTimeout", "10 s", Duration.ofSeconds(10)),
        arguments("closeTimeout", "10 s", Duration.ofSeconds(10)),
        arguments("sendTimeout", "30 s", Duration.ofSeconds(30)),
        arguments("requestTimeout", "30 s", Duration.ofSeconds(30)),
        arguments("maxOpenRequests", "1024", 1024),
        arguments("stagesOnLoop", "false", false),
        arguments("heartbeatInterval", "5 s", Duration.ofSeconds(5)),
        arguments("heartbeatTimeout", "15 s", Duration.ofSeconds(15)),
        arguments("stallTimeout", "30 s", Duration.ofSeconds(30)),
        arguments("idleTimeout", "null", null),
        arguments("sessionTimeout", "null", null),
        arguments("longestReconnectPause", "200 ms", Duration.ofMillis(200)),
        arguments("handlerExecutor", "null", null),
        arguments("memoryPool", "null", null),
        arguments("observer", "null", null));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void theDefaultIsTheDocumentedOne(String option, String documented, Object value)
      throws ReflectiveOperationException, IOException {
    Method accessor = TransportOptions.class.getMethod(option);

    assertThat(accessor.invoke(TransportOptions.defaults())).isEqualTo(value);
    assertThat(accessor.invoke(TransportOptions.builder().build())).isEqualTo(value);
    assertThat(documentedDefault(option)).startsWith(documented);
  }

  @Test
  void everyOptionIsInThisTest() {
    Set<String> options =
        Arrays.stream(TransportOptions.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(Method::getName)
            .filter(name -> !Set.of("toBuilder", "toString").contains(name))
            .collect(Collectors.toSet());

    assertThat(defaults())
        .extracting(arguments -> arguments.get()[0])
        .containsExactlyInAnyOrderElementsOf(options);
  }

  /** Option, lowest and highest value, and how each is set. */
  static Stream<Arguments> ranges() {
    return Stream.of(
        arguments(
            "maxArrayBytes",
            8L,
            Long.MAX_VALUE,
            (Setter<Long>) TransportOptions.Builder::maxArrayBytes),
        arguments(
            "memoryBudgetBytes",
            16L << 20,
            Long.MAX_VALUE,
            (Setter<Long>) TransportOptions.Builder::memoryBudgetBytes),
        arguments(
            "maxSubscriptions", 0L, 65_536L, intSetter(TransportOptions.Builder::maxSubscriptions)),
        arguments(
            "arrivalBytes",
            1L << 20,
            Long.MAX_VALUE,
            (Setter<Long>) TransportOptions.Builder::arrivalBytes),
        arguments(
            "sendBufferBytes",
            0L,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::sendBufferBytes)),
        arguments(
            "receiveBufferBytes",
            0L,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::receiveBufferBytes)),
        arguments(
            "maxFrameBytes",
            1L << 10,
            64L << 20,
            intSetter(TransportOptions.Builder::maxFrameBytes)),
        arguments(
            "chunkBytes", 1L << 10, 64L << 20, intSetter(TransportOptions.Builder::chunkBytes)),
        arguments(
            "inboxBytes",
            0L,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::inboxBytes)),
        arguments(
            "connectionInboxBytes",
            4L << 10,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::connectionInboxBytes)),
        arguments(
            "sendQueueBytes",
            1L,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::sendQueueBytes)),
        arguments("maxChannels", 1L, 1L << 16, intSetter(TransportOptions.Builder::maxChannels)),
        arguments(
            "maxOpenRequests",
            1L,
            (long) Integer.MAX_VALUE,
            intSetter(TransportOptions.Builder::maxOpenRequests)));
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void aNumberIsTakenInItsRangeOnly(String option, long least, long most, Setter<Long> setter)
      throws ReflectiveOperationException {
    Method accessor = TransportOptions.class.getMethod(option);
    for (long good : new long[] {least, least + 1, most - 1, most}) {
      TransportOptions options = setter.set(TransportOptions.builder(), good).build();
      assertThat(((Number) accessor.invoke(options)).longValue()).isEqualTo(good);
    }
    long lowest = most == Long.MAX_VALUE ? Long.MIN_VALUE : Integer.MIN_VALUE;
    for (long bad : new long[] {least - 1, -1 - least, lowest}) {
      assertRefused(setter.set(TransportOptions.builder(), bad), option, bad);
    }
    if (most < Integer.MAX_VALUE) {
      for (long bad : new long[] {most + 1, Integer.MAX_VALUE}) {
        assertRefused(setter.set(TransportOptions.builder(), bad), option, bad);
      }
    }
  }

  static Stream<Arguments> timeouts() {
    return Stream.of(
        arguments("connectTimeout", (Setter<Duration>) TransportOptions.Builder::connectTimeout),
        arguments("closeTimeout", (Setter<Duration>) TransportOptions.Builder::closeTimeout),
        arguments("sendTimeout", (Setter<Duration>) TransportOptions.Builder::sendTimeout),
        arguments("requestTimeout", (Setter<Duration>) TransportOptions.Builder::requestTimeout),
        arguments(
            "heartbeatTimeout", (Setter<Duration>) TransportOptions.Builder::heartbeatTimeout),
        arguments("stallTimeout", (Setter<Duration>) TransportOptions.Builder::stallTimeout),
        arguments("idleTimeout", (Setter<Duration>) TransportOptions.Builder::idleTimeout),
        arguments("sessionTimeout", (Setter<Duration>) TransportOptions.Builder::sessionTimeout));
  }

  @ParameterizedTest
  @MethodSource("timeouts")
  void aTimeoutIsMoreThanZero(String option, Setter<Duration> setter)
      throws ReflectiveOperationException {
    Method accessor = TransportOptions.class.getMethod(option);
    for (Duration good :
        List.of(Duration.ofNanos(1), Duration.ofDays(1000), ChronoUnit.FOREVER.getDuration())) {
      TransportOptions options = setter.set(TransportOptions.builder(), good).build();
      assertThat(accessor.invoke(options)).isEqualTo(good);
    }
    for (Duration bad : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertRefused(setter.set(TransportOptions.builder(), bad), option, bad);
    }
    if (accessor.invoke(TransportOptions.defaults()) == null) {
      TransportOptions with = setter.set(TransportOptions.builder(), Duration.ofSeconds(1)).build();
      assertThat(accessor.invoke(setter.set(with.toBuilder(), null).build())).isNull();
    } else {
      assertThatThrownBy(() -> setter.set(TransportOptions.builder(), null))
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void aReconnectPauseIsAMillisecondAtLeast() {
    for (Duration good : List.of(Duration.ofMillis(1), ChronoUnit.FOREVER.getDuration())) {
      assertThat(
              TransportOptions.builder()
                  .longestReconnectPause(good)
                  .build()
                  .longestReconnectPause())
          .isEqualTo(good);
    }
    for (Duration bad : List.of(Duration.ofNanos(999_999), Duration.ZERO, Duration.ofSeconds(-1))) {
      assertRefused(
          TransportOptions.builder().longestReconnectPause(bad), "longestReconnectPause", bad);
    }
  }

  /** More frequent ones would be a flood. */
  @Test
  void heartbeatsAreTenMillisecondsApartAtLeast() {
    for (Duration good : List.of(Duration.ofMillis(10), ChronoUnit.FOREVER.getDuration())) {
      assertThat(TransportOptions.builder().heartbeatInterval(good).build().heartbeatInterval())
          .isEqualTo(good);
    }
    for (Duration bad :
        List.of(Duration.ofNanos(9_999_999), Duration.ZERO, Duration.ofSeconds(-1))) {
      assertRefused(TransportOptions.builder().heartbeatInterval(bad), "heartbeatInterval", bad);
    }
    assertThatThrownBy(() -> TransportOptions.builder().heartbeatInterval(null))
        .isInstanceOf(NullPointerException.class);
  }

  /** What would be ignored there must not look as if it kept anybody out. */
  @Test
  void plainModeHasNoHandshakeToAuthenticateIn() {
    assertThatThrownBy(() ->
            TransportOptions.builder()
                .plain(ElementType.FLOAT)
                .authToken("secret".getBytes(StandardCharsets.US_ASCII))
                .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "plain mode has no handshake that shows a token; leave authToken out, or use framed mode"
                + " (plainType=FLOAT, authToken=(hidden))");
    assertThatThrownBy(() ->
            TransportOptions.builder().plain(ElementType.FLOAT).authenticator(peer -> null).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave authenticator out");
  }

  /** An authenticator that is a record may hold the secrets that it compares. */
  @Test
  void whatAnAuthenticatorSaysOfItselfIsNotPrinted() {
    record Secrets(String secret) implements Authenticator {
      @Override
      public Identity authenticate(Credentials peer) {
        return Identity.of(secret);
      }
    }

    TransportOptions.Builder one =
        TransportOptions.builder().authenticator(new Secrets("sesame".repeat(100)));
    assertThat(one.build().toString())
        .contains("authenticator=", "Secrets")
        .doesNotContain("sesame");
    assertThatThrownBy(() -> one.plain(ElementType.FLOAT).build())
        .hasMessageContaining("Secrets")
        .hasMessageNotContaining("sesame")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
  }

  @Test
  void plainModeHasNoSessions() {
    TransportOptions.Builder both =
        TransportOptions.builder().plain(ElementType.FLOAT).sessionTimeout(Duration.ofSeconds(7));

    assertThatThrownBy(both::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "plain mode has no sessions; leave sessionTimeout out, or use framed mode"
                + " (plainType=FLOAT, sessionTimeout=PT7S)");
    assertThat(both.sessionTimeout(null).build().sessionTimeout()).isNull();
    assertThat(both.framed().sessionTimeout(Duration.ofSeconds(7)).build().plainType()).isNull();
  }

  @Test
  void theTextListsWhatDiffersFromTheDefaultsAndNotTheToken() {
    assertThat(TransportOptions.builder().closeTimeout(Duration.ofSeconds(10)).build())
        .hasToString("TransportOptions(defaults)");
    assertThat(
            TransportOptions.builder()
                .idleTimeout(Duration.ofMinutes(2))
                .authToken("secret".getBytes(StandardCharsets.US_ASCII))
                .codecs(StandardCodecs.protobuf())
                .maxChannels(7)
                .build())
        .hasToString(
            "TransportOptions(codecs=[protobuf], maxChannels=7, authToken=(hidden),"
                + " idleTimeout=PT2M)");
  }

  @Test
  void aTokenHasOneTo256BytesAndIsCopied() {
    byte[] token = {1, 2, 3};
    TransportOptions options = TransportOptions.builder().authToken(token).build();
    token[0] = 9;
    options.authToken()[1] = 9;

    assertThat(options.authToken()).containsExactly(1, 2, 3);
    assertThat(TransportOptions.builder().authToken(new byte[1]).build().authToken()).hasSize(1);
    assertThat(TransportOptions.builder().authToken(new byte[256]).build().authToken())
        .hasSize(256);
    assertThat(options.toBuilder().authToken(null).build().authToken()).isNull();
    assertRefused(TransportOptions.builder().authToken(new byte[0]), "authToken.length", 0);
    assertRefused(TransportOptions.builder().authToken(new byte[257]), "authToken.length", 257);
  }

  @Test
  void twoCodecsOfOneNameAreRefused() {
    Codec codec = StandardCodecs.protobuf();

    assertThat(TransportOptions.builder().codecs(codec).build().codecs()).containsExactly(codec);
    assertThatThrownBy(() -> TransportOptions.builder().codecs(codec, codec).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codec=protobuf");
  }

  @Test
  void codecsAreCopiedAndCannotBeChanged() {
    Codec[] codecs = {StandardCodecs.protobuf()};
    TransportOptions options = TransportOptions.builder().codecs(codecs).build();
    codecs[0] = new Renamed("other");

    assertThat(options.codecs()).containsExactly(StandardCodecs.protobuf());
    assertThatThrownBy(() -> options.codecs().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void plainModeIsChosenAndLeft() {
    TransportOptions plain = TransportOptions.builder().plain(ElementType.INT).build();

    assertThat(plain.plainType()).isEqualTo(ElementType.INT);
    assertThat(plain.toBuilder().framed().build().plainType()).isNull();
    assertThatThrownBy(() -> TransportOptions.builder().plain(null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aBuilderOfOptionsStartsWithTheirValues() throws ReflectiveOperationException {
    Executor executor = Runnable::run;
    MemoryPool pool = HeapMemoryPool.create();
    TransportOptions options =
        TransportOptions.builder()
            .codecs(StandardCodecs.protobuf())
            .plain(ElementType.LONG)
            .maxArrayBytes(100)
            .maxFrameBytes(2000)
            .chunkBytes(3000)
            .inboxBytes(4)
            .checksums(Checksums.UNWANTED)
            .adaptiveCompression(AdaptiveCompression.WANTED)
            .tokenWithoutTls(true)
            .connectTimeout(Duration.ofSeconds(7))
            .closeTimeout(Duration.ofSeconds(8))
            .connectionInboxBytes(5000)
            .sendQueueBytes(6000)
            .memoryBudgetBytes(1L << 40)
            .arrivalBytes(1L << 41)
            .sendBufferBytes(7000)
            .receiveBufferBytes(8000)
            .maxChannels(7)
            .maxSubscriptions(8)
            .requestTimeout(Duration.ofSeconds(17))
            .maxOpenRequests(3)
            .stagesOnLoop(true)
            .sendTimeout(Duration.ofSeconds(9))
            .heartbeatInterval(Duration.ofSeconds(10))
            .heartbeatTimeout(Duration.ofSeconds(11))
            .stallTimeout(Duration.ofSeconds(14))
            .tls(Tls.client())
            .acceptLimits(AcceptLimits.none())
            .idleTimeout(Duration.ofSeconds(13))
            .longestReconnectPause(Duration.ofSeconds(14))
            .handlerExecutor(executor)
            .memoryPool(pool)
            .observer(TransportCounters.create())
            .build();
    // Plain mode has neither sessions nor a handshake.
    Set<String> framedOnly = Set.of("sessionTimeout", "authToken", "authenticator");
    TransportOptions framed =
        TransportOptions.builder()
            .sessionTimeout(Duration.ofSeconds(7))
            .authToken(new byte[] {5})
            .authenticator(peer -> null)
            .build();

    for (Arguments option : defaults()) {
      String name = (String) option.get()[0];
      Method accessor = TransportOptions.class.getMethod(name);
      TransportOptions set = framedOnly.contains(name) ? framed : options;
      Object value = accessor.invoke(set);
      assertThat(value)
          .as("%s was set to something else than its default", name)
          .isNotEqualTo(option.get()[2]);
      assertThat(accessor.invoke(set.toBuilder().build())).as(name).isEqualTo(value);
      assertThat(set.toString())
          .as("what differs from the defaults is in the text")
          .containsPattern("[(, ]" + name + "=");
    }
    assertThat(TransportOptions.defaults().codecs()).isEmpty();
  }

  private static void assertRefused(TransportOptions.Builder builder, String option, Object value) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option + "=" + value);
  }

  /** What the javadoc of an accessor says after "Default:", on one line. */
  private static String documentedDefault(String option) throws IOException {
    String source = Files.readString(Path.of("src/main/java/io/arraywire/TransportOptions.java"));
    Matcher accessor =
        Pattern.compile("\\n  public [^(=]* " + option + "\\(\\) \\{").matcher(source);
    assertThat(accessor.find()).as("source of %s()", option).isTrue();
    String before = source.substring(0, accessor.start());
    String comment =
        before.substring(before.lastIndexOf("/**")).replaceAll("\\s*\\n\\s*\\*\\s*", " ");
    int at = comment.indexOf("Default: ");
    assertThat(at).as("javadoc of %s() says its default", option).isNotNegative();
    return comment.substring(at + "Default: ".length());
  }

  /** Sets an option. */
  private interface Setter<T> {
    TransportOptions.Builder set(TransportOptions.Builder builder, T value);
  }

  private interface IntSetter {
    TransportOptions.Builder set(TransportOptions.Builder builder, int value);
  }

  private static Setter<Long> intSetter(IntSetter setter) {
    return (builder, value) -> setter.set(builder, Math.toIntExact(value));
  }

  private record Renamed(String name) implements Codec {
    @Override
    public Encoding encoding() {
      return Encoding.RAW_BIG_ENDIAN;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      throw new UnsupportedOperationException();
    }
  }
}
