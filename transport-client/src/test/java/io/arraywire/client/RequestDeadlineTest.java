package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.RequestOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
  /** A server that passes the metadata of its own request on shall not pass on its time. */
  @Test
  void whatIsLeftReplacesAnOldValue() {
    ArrayAttributes old =
        RequestOptions.defaults().metadata(RequestDeadline.KEY, "17").attributes();
    ArrayAttributes sent = RequestDeadline.in(old, Duration.ofSeconds(5));
    assertThat(sent.metadata()).containsOnlyKeys(RequestDeadline.KEY);
    assertThat(sent.metadata()).containsEntry(RequestDeadline.KEY, "5000");
  }
}
