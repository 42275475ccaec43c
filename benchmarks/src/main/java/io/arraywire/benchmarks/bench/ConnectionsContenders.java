package io.arraywire.benchmarks.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All contenders with many connections by name. */
final class ConnectionsContenders {
  /** The one that the others are compared with. */
  static final String BASELINE = "raw-selector";

  private static final Map<String, ConnectionsContender> ALL = Contenders.byName(contenders());

  private ConnectionsContenders() {}

  private static List<ConnectionsContender> contenders() {
    List<ConnectionsContender> contenders =
        new ArrayList<>(
            List.of(
                new RawSelector(),
                new JdkThreadPerConnection(false),
                new JdkThreadPerConnection(true),
                EventLoops.ofDefault(),
                EventLoops.ofNonBlocking(),
                EventLoops.of(1),
                EventLoops.of(2),
                new ThreadPerConnection()));
    contenders.addAll(Contenders.peers(ContenderProvider::connections));
    return contenders;
  }

  /** All that there are; all of them run if nobody says which. */
  static List<ConnectionsContender> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * A contender.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static ConnectionsContender named(String name) {
    return Contenders.known(name, ALL.get(name));
  }
}
