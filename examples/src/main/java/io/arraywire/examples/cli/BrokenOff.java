package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows what stays of the files that connections send, should they break off. So the operator is
 * told of it, and not of a loss. Any thread.
 */
final class BrokenOff {
  /** By where they stay: one connection at a time writes there. */
  private final Map<Path, Begun> all = new ConcurrentHashMap<>();

  /**
   * A file that its sender can go on with.
   *
   * @param first where its first element is in the hidden file
   */
  private record Begun(Connection connection, Writing writing, long first) {}

  /** What is there of it. */
  private record Kept(Path part, String name, long bytes, long ofBytes) {}

  /**
   * A file is being written. Does nothing for one that does not stay if it does not come whole.
   *
   * @param first where its first element is in the hidden file
   */
  void began(Connection connection, Writing writing, long first) {
    Path part = writing.kept();
    if (part != null && connection.isOpen()) {
      all.put(part, new Begun(connection, writing, first));
    }
  }

  /** It has its name, or nothing of it stays. */
  void ended(Writing writing) {
    Path part = writing.kept();
    if (part != null) {
      all.computeIfPresent(part, (path, begun) -> begun.writing.equals(writing) ? null : begun);
    }
  }

  /**
   * Why a connection ended, and what stays of the files that it was sending.
   *
   * @return the cause, if nothing stays
   */
  IOException explain(Connection connection, ArraywireException cause) {
    List<Kept> kept =
        all.entrySet().stream()
            .filter(each -> each.getValue().connection.equals(connection))
            .map(each -> look(each.getKey(), each.getValue()))
            .filter(each -> each.bytes > 0)
            .toList();
    return kept.isEmpty() ? cause : new BrokenOffException(words(kept), cause);
  }

  /** Forgets what a connection was sending. */
  void forget(Connection connection) {
    all.values().removeIf(each -> each.connection.equals(connection));
  }

  private static Kept look(Path part, Begun begun) {
    long bytes;
    try {
      bytes = Files.size(part) - begun.first;
    } catch (IOException e) {
      // It is gone: another transfer has completed it, or somebody has removed it.
      bytes = 0;
    }
    String name = begun.writing.asked().getFileName().toString();
    return new Kept(part, name, bytes, begun.writing.bytes());
  }

  private static String words(List<Kept> kept) {
    Kept one = kept.get(0);
    return switch (kept.size()) {
          case 1 -> one.bytes + " of " + one.ofBytes + " bytes of " + one.name + " are kept";
          case 2 -> "what came of " + one.name + " and of another file is kept";
          default ->
              "what came of " + one.name + " and of " + (kept.size() - 1) + " others is kept";
        }
        + "; the same 'arraywire send --resume' sends the rest (part="
        + one.part
        + ")";
  }
}
