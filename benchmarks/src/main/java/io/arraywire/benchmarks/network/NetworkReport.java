package io.arraywire.benchmarks.network;

import io.arraywire.examples.report.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of a network that was made for a run. */
public final class NetworkReport {
  private final NetworkProfile profile;
  private final String hosts;
  private final boolean relayed;
  private final String applied;
  private final NetworkFindings found;

  /**
   * What is known.
   *
   * @param profile what the network is to be like
   * @param hosts what they are, in the plural
   * @param relayed whether a relay does what the kernel should
   * @param applied what was done to them
   * @param found what was measured
   */
  NetworkReport(
      NetworkProfile profile,
      String hosts,
      boolean relayed,
      String applied,
      NetworkFindings found) {
    this.profile = profile;
    this.hosts = hosts;
    this.relayed = relayed;
    this.applied = applied;
    this.found = found;
  }

  /**
   * Its name.
   *
   * @return such as {@code 1gbit between containers}
   */
  public String title() {
    return profile.word() + (relayed ? " by a relay" : "") + " between " + hosts;
  }

  /**
   * All that is known.
   *
   * @return one line
   */
  public String line() {
    return "network: "
        + title()
        + "; applied: "
        + applied
        + "; measured: "
        + found.words()
        + profile.remark(found);
  }

  /**
   * All that is known, for JSON.
   *
   * @return the members of an object
   */
  public Map<String, @Nullable Object> members() {
    return Json.object(
        "profile", profile.word(), "hosts", hosts, "applied", applied, "measured", found.members());
  }
}
