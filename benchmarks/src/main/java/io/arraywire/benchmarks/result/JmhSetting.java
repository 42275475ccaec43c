package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How JMH measured.
 *
 * @param mode such as {@code avgt}
 * @param threads that ran the method
 * @param forks JVMs, one after the other
 * @param warmup iterations that were not counted and their length, in words
 * @param measurement the same of those that were
 * @param jdk version and virtual machine
 * @param jvmArguments of the forks
 * @param version of JMH
 */
public record JmhSetting(
    String mode,
    long threads,
    long forks,
    String warmup,
    String measurement,
    String jdk,
    List<String> jvmArguments,
    String version) {

  static JmhSetting parse(Members members) throws IOException {
    return new JmhSetting(
        members.text("mode"),
        members.whole("threads"),
        members.whole("forks"),
        members.whole("warmupIterations") + " of " + members.text("warmupTime"),
        members.whole("measurementIterations") + " of " + members.text("measurementTime"),
        members.text("vmVersion") + ", " + members.text("vmName"),
        members.texts("jvmArgs"),
        members.text("jmhVersion"));
  }

  /**
   * All of it in words.
   *
   * @return what each is, and what it was
   */
  public Map<String, String> words() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(
        "JMH", version + ", mode " + mode + (threads == 1 ? "" : ", " + threads + " threads"));
    words.put("Forks", forks + ", each with " + warmup + " to warm up and " + measurement);
    words.put("JDK", jdk);
    words.put("JVM flags", JvmFlags.shown(jvmArguments));
    return words;
  }
}
