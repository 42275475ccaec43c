package io.arraywire.benchmarks.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All contenders with a process of Python at one end, by name. */
final class PythonContenders {
  /** The one that the others are compared with. */
  static final String BASELINE = "socket";

  private static final Map<String, PythonContender> ALL = Contenders.byName(contenders());

  private PythonContenders() {}

  private static List<PythonContender> contenders() {
    List<PythonContender> contenders =
        new ArrayList<>(List.of(new SocketMirror(), new ArraywireMirror()));
    contenders.addAll(Contenders.peers(ContenderProvider::python));
    return contenders;
  }

  /** All that there are, in the order in which they are listed. */
  static List<PythonContender> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * A contender.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static PythonContender named(String name) {
    return Contenders.known(name, ALL.get(name));
  }
}
