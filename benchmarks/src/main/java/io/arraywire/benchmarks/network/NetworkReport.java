package io.arraywire.benchmarks.network;

import io.arraywire.examples.report.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of a network that was made for a run. */
public final class NetworkReport {
  private final NetworkProfile profile;
  private final String hosts;
  private final String applied;
  private final NetworkFindings found;

  NetworkReport(NetworkProfile profile, String hosts, String applied, NetworkFindings found) {
    this.profile = profile;
    this.hosts = hosts;
    this.applied = applied;
    this.found = found;
  }

  /**
   * Its name.
   *
   * @return such as {@code 1gbit between containers}
   */
  public String title() {
    return profile.word() + " between " + hosts;
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
