package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.benchmarks.result.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a long measurement that are done, in a file beside the one that is to have the
 * figures. If the measurement is interrupted, the same command goes on behind the last of them.
 *
 * <p>The file is text. The interrupted command and the one that goes on must agree on some things.
 * The file has a line for each: its name, a tab and its value. Then come an empty line and a line
 * for each round, which is written at once when the round is done. A line without its end is a
 * round that is not done.
 */
final class RoundJournal implements AutoCloseable {
  private static final String TAB = "\t";

  private final Path path;
  private final FileChannel file;
  private final Map<Integer, List<List<List<Burst>>>> rounds = new LinkedHashMap<>();

  private RoundJournal(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens the journal of a measurement, or begins one.
   *
   * @param path the file
   * @param environment where it is measured now
   * @param program what is measured, where the commit does not tell: a digest of it
   * @param runs the runs that the measurement has
   * @throws IOException if the file cannot be read or written, is used by another process, or was
   *     begun elsewhere or with other runs. The text says what differs
   */
  static RoundJournal open(
      Path path, Environment environment, String program, List<BenchSettings> runs)
      throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    RoundJournal journal = new RoundJournal(path, file);
    try {
      if (locked(file) == null) {
        throw new IOException("another process measures for the same file (file=" + path + ")");
      }
      journal.read(facts(environment, program, runs), runs);
      return journal;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** All but the number of rounds, of which more may be wanted than at first. */
  private static Map<String, String> facts(
      Environment environment, String program, List<BenchSettings> runs) {
    Map<String, String> facts = new LinkedHashMap<>(environment.identity());
    if (!Boolean.FALSE.equals(environment.checkout().modified())) {
      // The commit does not say what was measured.
      facts.put("Program", program);
    }
    for (int i = 0; i < runs.size(); i++) {
      BenchSettings settings = runs.get(i);
      facts.put(
          "run " + (i + 1),
          settings.contenders().stream().map(Participant::name).collect(Collectors.joining(","))
              + "; "
              + settings.workloads().stream().map(Workload::label).collect(Collectors.joining("; "))
              + "; "
              + settings.burst().toMillis()
              + " ms; "
              + String.join(" ", settings.allJvmOptions())
              + "; Java "
              + settings.hosts().java()
              + settings.hosts().label()
              + (settings.python() == null ? "" : "; " + settings.python()));
    }
    return facts;
  }

  private static @Nullable FileLock locked(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private void read(Map<String, String> facts, List<BenchSettings> runs) throws IOException {
    // Not by the path: a process that closes a file loses all its locks on that file (POSIX).
    String text = new String(Channels.newInputStream(file).readAllBytes(), UTF_8);
    int headEnd = text.indexOf("\n\n");
    if (headEnd < 0) {
      // Empty, or interrupted while it was begun.
      begin(facts);
      return;
    }
    compare(facts, text.substring(0, headEnd));
    int end = text.lastIndexOf('\n') + 1;
    file.truncate(text.substring(0, end).getBytes(UTF_8).length);
    file.position(file.size());
    for (String line : text.substring(headEnd + 2, end).lines().toList()) {
      add(line, runs);
    }
  }

  private void begin(Map<String, String> facts) throws IOException {
    StringBuilder head = new StringBuilder();
    facts.forEach((name, value) -> head.append(name).append(TAB).append(value).append('\n'));
    file.truncate(0);
    write(head.append('\n').toString());
  }

  private void compare(Map<String, String> facts, String head) throws IOException {
    Map<String, String> were = new LinkedHashMap<>();
    for (String line : head.split("\n", -1)) {
      String[] words = line.split(TAB, 2);
      were.put(words[0], words.length < 2 ? "" : words[1]);
    }
    for (Map.Entry<String, String> each : facts.entrySet()) {
      String was = were.get(each.getKey());
      if (!each.getValue().equals(was)) {
        throw new IOException(
            "the file has rounds of a run with other settings, which cannot be continued; delete"
                + " it, or name another file (file="
                + path
                + ", "
                + each.getKey()
                + "="
                + each.getValue()
                + ", then="
                + was
                + ")");
      }
    }
  }

  private void add(String line, List<BenchSettings> runs) throws IOException {
    try {
      List<String> words = List.of(line.split(TAB, -1));
      int run = Integer.parseInt(words.get(0));
      BenchSettings settings = runs.get(run);
      int bursts = settings.workloads().size() * settings.contenders().size();
      if (words.size() != 1 + bursts * Burst.WORDS) {
        throw new IllegalArgumentException("words=" + words.size());
      }
      List<List<Burst>> round = new ArrayList<>();
      int at = 1;
      for (int workload = 0; workload < settings.workloads().size(); workload++) {
        List<Burst> contenders = new ArrayList<>();
        for (int who = 0; who < settings.contenders().size(); who++) {
          contenders.add(Burst.parse(words.subList(at, at + Burst.WORDS).toArray(String[]::new)));
          at += Burst.WORDS;
        }
        round.add(contenders);
      }
      done(run).add(round);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("not a round; delete the file (file=" + path + ")", e);
    }
  }

  /** The rounds of one run. */
  Rounds.Keeper run(int run) {
    return new Rounds.Keeper() {
      @Override
      public List<List<List<Burst>>> done() {
        return RoundJournal.this.done(run);
      }

      @Override
      public void add(List<List<Burst>> round) throws IOException {
        RoundJournal.this.add(run, round);
      }
    };
  }

  private List<List<List<Burst>>> done(int run) {
    return rounds.computeIfAbsent(run, key -> new ArrayList<>());
  }

  /** How many rounds of all runs are done. */
  int size() {
    return rounds.values().stream().mapToInt(List::size).sum();
  }

  private void add(int run, List<List<Burst>> round) throws IOException {
    done(run).add(round);
    StringBuilder line = new StringBuilder(Integer.toString(run));
    for (List<Burst> workload : round) {
      for (Burst burst : workload) {
        line.append(TAB).append(String.join(TAB, burst.words()));
      }
    }
    write(line.append('\n').toString());
  }

  private void write(String text) throws IOException {
    ByteBuffer bytes = UTF_8.encode(text);
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
  }

  /** All is done. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
