package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.nio.NioTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/client.md says of the end of a client, by a real process and a real SIGTERM. */
@Tag("ci")
@Tag("newest")
class EndedClientTest {
  @Test
  void aServiceThatIsToldToEndHasItsAnswerAndItsServerSeesAGoodbye() throws Exception {
    BlockingQueue<Reply> asked = new LinkedBlockingQueue<>();
    CompletableFuture<Optional<ArraywireException>> ended = new CompletableFuture<>();
    ArrayHandler watch =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) {}

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            ended.complete(Optional.ofNullable(cause));
          }
        };
    Handlers handlers =
        Handlers.ofArrays(watch).withRequests((connection, request, reply) -> asked.add(reply));
    try (Listener server = NioTransport.listen("127.0.0.1:0", handlers);
        CliProcess client = CliProcess.start(Map.of(), command(server))) {
      Reply reply = asked.poll(1, TimeUnit.MINUTES);
      assertThat(reply).as("%s", client).isNotNull();
      client.signal("TERM");
      client.awaitOut("closing");
      assertThat(ended).as("it waits for what is in flight").isNotDone();
      reply.send(ArraySlice.of(new int[] {9}));
      client.awaitOut("answered 9");
      assertThat(ended.get(1, TimeUnit.MINUTES)).as("a goodbye").isEmpty();
      assertThat(client.awaitExit()).as("%s", client).isEqualTo(128 + 15);
      assertThat(client.err()).noneMatch(line -> line.contains("may not have finished"));
    }
  }

  private static Object[] command(Listener server) {
    List<Object> command = new ArrayList<>(CliProcess.javaCommand("-cp", CliProcess.classPath()));
    command.add(EndedClient.class.getName());
    String address = server.address().toString();
    command.add(address.substring(address.indexOf('/') + 1));
    return command.toArray();
  }
}
