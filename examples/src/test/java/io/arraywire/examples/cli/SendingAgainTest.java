package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory is sent to a receiver that has a part of it already. */
class SendingAgainTest {
  @TempDir Path dir;

  private Path write(String file, float... elements) throws IOException {
    Path path = dir.resolve(file);
    Files.createDirectories(path.getParent());
    NpyHeader header =
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of((long) elements.length));
    NpyWriter.write(path, header, ArraySlice.of(elements));
    return path;
  }

  private Outcome send(int taken, String... more) throws Exception {
    String address = "unix:" + dir.resolve("s");
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(() ->
            run(
                "receive",
                "--listen",
                address,
                "--count",
                Integer.toString(taken),
                "--out",
                dir.resolve("got").toString()));
    Outcome sent =
        run(
            Stream.concat(
                    Stream.of("send", "--wait", "60", "--to", address),
                    Stream.concat(Stream.of(more), Stream.of(dir.resolve("model").toString())))
                .toArray(String[]::new));
    if (sent.status() != 0) {
      // What the receiver still waits for.
      run("send", "--to", address, write("rest.npy", 1).toString());
    }
    receiver.get();
    return sent;
  }

  private void model() throws IOException {
    for (String each : List.of("a", "b", "c", "d")) {
      write("model/" + each + ".npy", 1, 2);
    }
  }

  @Test
  void whereItStopsItSaysWhatWasNotTried() throws Exception {
    model();
    write("got/model/b.npy", 7);
    Outcome sent = send(2);
    assertThat(sent.status()).isEqualTo(1);
    Path second = dir.resolve("model/b.npy");
    assertThat(sent.err())
        .isEqualTo(
            "arraywire send: the far side refused the array: the receiver has a file of that name"
                + " (name=model/b.npy); it was array 2 of 4, "
                + second
                + ": 1 sent, 2 not tried; --skip-existing leaves out what the receiver has\n");
    assertThat(sent.out().lines()).hasSize(1);
    assertThat(dir.resolve("got/model/c.npy")).doesNotExist();
  }

  @Test
  void programsAreToldTheSame() throws Exception {
    model();
    write("got/model/b.npy", 7);
    Outcome sent = send(2, "--json");
    assertThat(sent.out().lines().reduce((a, b) -> b).orElseThrow())
        .startsWith("{\"event\":\"failed\",\"command\":\"arraywire send\",\"status\":1,")
        .contains("\"code\":\"REJECTED\"", "1 sent, 2 not tried", "\"channel\":0");
  }

  @Test
  void skippedOnesStayAsTheyAreAndTheOthersCome() throws Exception {
    model();
    write("got/model/a.npy", 8);
    write("got/model/b.npy", 7);
    Outcome sent = send(2, "--skip-existing");
    assertThat(sent.status()).as(sent.toString()).isZero();
    assertThat(sent.err()).isEmpty();
    assertThat(sent.out().lines().map(line -> line.split(" ", -1)[0]))
        .containsExactly("skipped", "skipped", "sent", "sent");
    assertThat(sent.out())
        .contains(
            "skipped " + dir.resolve("model/b.npy") + ": the receiver has a file of that name");
    assertThat(NpyReader.read(dir.resolve("got/model/b.npy")).elements().array())
        .isEqualTo(new float[] {7});
    assertThat(NpyReader.read(dir.resolve("got/model/c.npy")).elements().array())
        .isEqualTo(new float[] {1, 2});
  }

  /** The reason names the file, and so quotes the words that say that a name is taken. */
  @Test
  void anotherRefusalOfAFileWithSuchANameIsNotSkipped() throws Exception {
    write("model/" + ArrayStore.TAKEN + ".npy", 1, 2);
    Files.createDirectories(dir.resolve("got"));
    Files.writeString(dir.resolve("got/model"), "a file where a directory must be");
    Outcome sent = send(1, "--skip-existing");
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.out()).isEmpty();
    assertThat(sent.err()).contains("is no directory (name=model/" + ArrayStore.TAKEN);
  }

  @Test
  void anotherRefusalIsNotSkipped() throws Exception {
    model();
    Files.createDirectories(dir.resolve("got"));
    Files.writeString(dir.resolve("got/model"), "a file where a directory must be");
    Outcome sent = send(1, "--skip-existing");
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.out()).isEmpty();
    assertThat(sent.err()).contains("the far side refused the array", "0 sent, 3 not tried");
  }
}
