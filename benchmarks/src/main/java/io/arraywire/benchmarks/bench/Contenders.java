package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.result.OldNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All contenders by name. */
final class Contenders {
  /** The one that the others are compared with. */
  static final String BASELINE = "raw-sleep";

  /** What runs if nobody says which. */
  private static final List<String> USUAL =
      List.of(BASELINE, "raw-spin", "raw-staged", "raw-staged-spin", "nio", "nio-staged", "stream");

  private static final Map<String, Contender> OWN = byName(own());
  private static final Map<String, Contender> PEERS = byName(peers());

  private Contenders() {}

  private static List<Contender> own() {
    List<Contender> own =
        new ArrayList<>(
            List.of(
                new RawDirect(false, Loopback.TCP),
                new RawDirect(true, Loopback.TCP),
                new RawDirect(false, Loopback.UNIX),
                RawStaged.of(false),
                RawStaged.of(true),
                RawStaged.overTls(),
                new JdkAsync()));
    own.addAll(JdkStreams.all());
    own.addAll(ArraywireContender.all());
    own.add(new RowsContender("nio"));
    own.add(new RowsContender("stream"));
    return own;
  }

  private static List<Contender> peers() {
    return peers(ContenderProvider::contenders);
  }

  /** What other libraries bring of one kind, if they were built. */
  static <T> List<T> peers(Function<ContenderProvider, List<T>> kind) {
    List<T> peers = new ArrayList<>();
    for (ContenderProvider provider : ServiceLoader.load(ContenderProvider.class)) {
      peers.addAll(kind.apply(provider));
    }
    return peers;
  }

  static <T extends Participant> Map<String, T> byName(List<? extends T> contenders) {
    return contenders.stream()
        .collect(
            Collectors.toMap(
                Participant::name,
                each -> each,
                (one, other) -> {
                  throw new IllegalStateException(
                      "two contenders have the same name (name=" + one + ")");
                },
                LinkedHashMap::new));
  }

  /** All that there are. */
  static List<Contender> all() {
    List<Contender> all = new ArrayList<>(OWN.values());
    all.addAll(PEERS.values());
    return all;
  }

  /** Those of other libraries, if they were built. */
  static List<Contender> ofPeers() {
    return List.copyOf(PEERS.values());
  }

  /** What runs if nobody says which: our own and, where they were built, peers. */
  static List<Contender> usual() {
    List<Contender> usual = new ArrayList<>(USUAL.stream().map(Contenders::named).toList());
    PEERS.values().stream().filter(Contender::usual).forEach(usual::add);
    return usual;
  }

  /**
   * A contender.
   *
   * @param given its name; one that it had earlier is good, too, so that commands of older figures
   *     run
   * @throws IllegalArgumentException if there is none of that name
   */
  static Contender named(String given) {
    String name = OldNames.contender(given);
    Contender own = OWN.get(name);
    Contender found = own == null ? PEERS.get(name) : own;
    return known(name, found);
  }

  /** What was found by a name, which may be nothing. */
  static <T> T known(String name, @Nullable T found) {
    if (found == null) {
      throw new IllegalArgumentException(
          "no such contender; 'arraywire bench --list' lists those there are, with --peers those of"
              + " other libraries too (contender="
              + name
              + ")");
    }
    return found;
  }
}
