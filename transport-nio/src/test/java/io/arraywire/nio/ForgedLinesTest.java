package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** A handler fails with words that its peer has chosen, as many do without a thought. */
class ForgedLinesTest {
  private static final String FORGED = "Nov 28, 2026 1:00:00 PM SEVERE: all arrays were lost";

  @Test
  void aHandlersFailureForgesNoLine() throws Exception {
    try (RecordedLog log = new RecordedLog();
        Transport transport = NioTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (from, array) -> {
                  var unused = Integer.parseInt(array.header().attributes().metadata().get("rows"));
                });
        Connection hostile = transport.connect(listener.address())) {
      SendOptions options =
          SendOptions.processed()
              .attributes(ArrayAttributes.NONE.with("rows", "1\n" + FORGED + "\u001b[31m"));
      assertThatThrownBy(() -> hostile.send(new int[1], options))
          .isInstanceOf(RemoteRejectedException.class);
      LogRecord entry = log.await("array refused").get(0);
      List<String> lines = new SimpleFormatter().format(entry).lines().toList();
      assertThat(lines)
          .noneMatch(each -> each.startsWith(FORGED))
          .noneMatch(each -> each.contains("\u001b"))
          .anyMatch(each -> each.contains(FORGED))
          .anyMatch(each -> each.startsWith("java.lang.NumberFormatException"));
    }
  }
}
