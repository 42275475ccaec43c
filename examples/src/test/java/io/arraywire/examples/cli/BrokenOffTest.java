package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a receiver says of a connection that broke off, about each file that was on it. */
class BrokenOffTest {
  private static final int FIRST = 128;

  @TempDir Path dir;

  private final ConnectionLostException cause =
      new ConnectionLostException(ErrorCode.CONNECTION_RESET, "it is gone");
  private final List<PartFile> parts = new ArrayList<>();
  private final BrokenOff brokenOff = new BrokenOff();
  private final Connection sender = connection(true);

  @AfterEach
  void close() throws IOException {
    for (PartFile each : parts) {
      each.close();
    }
  }

  private static Connection connection(boolean open) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "isOpen" -> open;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** A file of a hundred bytes of elements, of which some have come. */
  private Writing writing(String name, int come) throws IOException {
    Path path = PartFile.keptPath(dir.resolve(name), name);
    PartFile part = PartFile.kept(path, true);
    assertThat(part).isNotNull();
    parts.add(part);
    part.channel().write(ByteBuffer.allocate(FIRST + come));
    return new Writing(dir.resolve(name), null, part, 100, 1_000, path);
  }

  private String words() {
    return Complaints.words(brokenOff.explain(sender, cause));
  }

  @Test
  void namesTheFileAndHowMuchOfItIsThere() throws IOException {
    Writing a = writing("a.npy", 40);
    brokenOff.began(sender, a, FIRST);
    assertThat(brokenOff.explain(sender, cause))
        .isInstanceOf(BrokenOffException.class)
        .hasCause(cause)
        .hasMessage(
            "40 of 100 bytes of a.npy are kept; the same 'arraywire send --resume' sends the rest"
                + " (part="
                + a.kept()
                + ")");
    assertThat(words()).startsWith("it is gone; what was not acknowledged").contains("; 40 of 100");
  }

  @Test
  void countsFurtherFiles() throws IOException {
    brokenOff.began(sender, writing("a.npy", 40), FIRST);
    brokenOff.began(sender, writing("b.npy", 50), FIRST);
    assertThat(words()).containsPattern("; what came of [ab].npy and of another file is kept; the");
    brokenOff.began(sender, writing("c.npy", 60), FIRST);
    assertThat(words()).containsPattern("; what came of [abc].npy and of 2 others is kept; the");
  }

  @Test
  void saysNothingWhereNothingIsKept() throws IOException {
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
    brokenOff.began(sender, writing("nothing-came.npy", 0), FIRST);
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
    Writing whole = writing("whole.npy", 100);
    brokenOff.began(sender, whole, FIRST);
    brokenOff.ended(whole);
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
    Writing gone = writing("gone.npy", 40);
    brokenOff.began(sender, gone, FIRST);
    Files.delete(PartFile.keptPath(dir.resolve("gone.npy"), "gone.npy"));
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
    Writing notKept = new Writing(dir.resolve("d.npy"), null, gone.part(), 100, 1_000, null);
    brokenOff.began(sender, notKept, FIRST);
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
  }

  @Test
  void aFileIsOfTheConnectionThatSendsIt() throws IOException {
    brokenOff.began(connection(true), writing("others.npy", 40), FIRST);
    brokenOff.began(connection(false), writing("late.npy", 40), FIRST);
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
    brokenOff.began(sender, writing("a.npy", 40), FIRST);
    brokenOff.forget(sender);
    assertThat(brokenOff.explain(sender, cause)).isSameAs(cause);
  }
}
