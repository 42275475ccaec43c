package io.arraywire.testkit.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Engine;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Tls;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.RunsCodec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process: an engine with options that the seed chooses, its memory and its threads. */
final class Host {
  /**
   * What hosts have in common.
   *
   * @param sessions whether they keep sessions
   * @param heartbeats whether they send heartbeats, which wake threads that sleep for ever
   * @param authenticator decides which peers the server lets in; null for all, whatever their names
   * @param tls how they encrypt; null for not at all
   * @param limits how many the server lets in
   */
  record Terms(
      boolean sessions,
      boolean heartbeats,
      @Nullable Authenticator authenticator,
      @Nullable Tls tls,
      AcceptLimits limits) {
    Terms withSessions(boolean wanted) {
      return new Terms(wanted, heartbeats, authenticator, tls, limits);
    }

    Terms inClear() {
      return new Terms(sessions, heartbeats, authenticator, null, limits);
    }
  }

  /** The name of the one that listens. */
  static final String SERVER = "server";

  final String name;
  final SimulatedPool pool = new SimulatedPool();
  final SimulatedRuntime runtime;
  final TransportOptions options;
  final Engine engine;

  Host(String name, Scheduler scheduler, Choices choices, Judge judge, Terms terms) {
    this.name = name;
    runtime = new SimulatedRuntime(scheduler, choices.branch());
    options = options(choices, judge, terms);
    engine = Engine.create("simulated", options, List.of(), pool, 0, runtime, runtime);
  }

  /** One in four sends in blocks. */
  private static List<Codec> codecs(Encoding first, boolean blocks) {
    Encoding second =
        first.equals(Encoding.RAW_BIG_ENDIAN)
            ? Encoding.RAW_LITTLE_ENDIAN
            : Encoding.RAW_BIG_ENDIAN;
    Codec one = new SimulatedCodec(first);
    Codec other = new SimulatedCodec(second);
    return blocks ? List.of(RunsCodec.CODEC, one, other) : List.of(one, other, RunsCodec.CODEC);
  }

  private TransportOptions options(Choices choices, Judge judge, Terms terms) {
    int inbox = choices.of(4 << 10, 16 << 10, 64 << 10);
    int all = Math.max(inbox, choices.of(4 << 10, 32 << 10, 256 << 10));
    Encoding first = choices.of(Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN);
    TransportOptions.Builder builder =
        TransportOptions.builder()
            .codecs(codecs(first, all == 32 << 10))
            .handlerExecutor(runtime)
            .memoryPool(pool)
            .tls(terms.tls())
            .acceptLimits(terms.limits())
            .observer(new Watcher(judge))
            .chunkBytes(choices.of(1 << 10, 4 << 10, 64 << 10))
            .maxFrameBytes(choices.of(1 << 10, 8 << 10, 1 << 20))
            .inboxBytes(inbox)
            .connectionInboxBytes(all)
            .sendQueueBytes(choices.of(2 << 10, 16 << 10, 1 << 20))
            .maxChannels(choices.of(2, 4, 8))
            .maxSubscriptions(3)
            .maxOpenRequests(choices.of(2, 1000))
            .checksums(choices.of(Checksums.values()))
            .connectTimeout(Duration.ofMillis(choices.of(500, 2000)))
            .closeTimeout(Duration.ofMillis(choices.of(500, 3000)))
            .sendTimeout(Duration.ofMillis(choices.of(300, 3000)))
            .requestTimeout(Duration.ofMillis(choices.of(200, 3000)))
            .heartbeatInterval(
                terms.heartbeats() ? Duration.ofMillis(choices.of(50, 250)) : Duration.ofHours(1))
            .heartbeatTimeout(Duration.ofMillis(choices.of(300, 1000)))
            .stallTimeout(Duration.ofMillis(choices.of(400, 2000)))
            .longestReconnectPause(Duration.ofMillis(choices.of(20, 300)));
    if (choices.percent(25)) {
      builder.memoryBudgetBytes(8L * all);
    }
    if (choices.percent(10)) {
      builder.idleTimeout(Duration.ofMillis(500));
    }
    if (terms.sessions()) {
      builder.sessionTimeout(Duration.ofMillis(choices.of(500, 4000)));
    }
    if (terms.authenticator() != null && name.equals(SERVER)) {
      builder.authenticator(terms.authenticator());
    } else if (terms.authenticator() != null) {
      builder.authToken(name.getBytes(UTF_8));
    }
    return builder.build();
  }
}
