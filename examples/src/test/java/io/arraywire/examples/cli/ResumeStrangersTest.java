package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestHandler;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code send --resume} and what answers it, with a peer that lies. */
@Timeout(120)
@Tag("newest")
class ResumeStrangersTest {
  private static final int COUNT = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DIGEST = "0".repeat(64);

  @TempDir Path dir;

  private static Message answer(String state, long... elements) {
    return Message.of(elements).attribute("state", state);
  }

  static Stream<Lie> lies() {
    return Stream.of(
        new Lie("BAD_LENGTH", answer("part", -1)),
        new Lie("BAD_LENGTH", answer("part", Long.MIN_VALUE)),
        new Lie("BAD_LENGTH", answer("part", COUNT + 1L)),
        new Lie("BAD_LENGTH", answer("part", Long.MAX_VALUE)),
        new Lie("BAD_LENGTH", answer("part", 0)),
        new Lie("BAD_LENGTH", answer("whole", COUNT - 1L)),
        new Lie("BAD_LENGTH", answer("nothing", 7)),
        new Lie("PROTOCOL_VIOLATION", answer("half", 7)),
        new Lie("PROTOCOL_VIOLATION", Message.of(new long[] {7})),
        new Lie("PROTOCOL_VIOLATION", answer("nothing")),
        new Lie("PROTOCOL_VIOLATION", answer("nothing", 0, 0)),
        new Lie("PROTOCOL_VIOLATION", Message.of(new int[1]).attribute("state", "nothing")),
        new Lie(
            "PROTOCOL_VIOLATION",
            Message.of("a", new long[1]).with("b", new long[1]).attribute("state", "nothing")));
  }

  /** What a receiver says that is not so, and the code of the failure. */
  record Lie(String code, Message answer) {}

  private Path file() throws IOException {
    return FloatFiles.write(dir.resolve("a.npy"), COUNT, index -> index);
  }

  private static InetSocketAddress anywhere() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static String text(Listener listener) {
    return "localhost:" + ((InetSocketAddress) listener.address()).getPort();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void aReceiverThatLiesIsToldApart(Lie lie) throws Exception {
    Outcome sent = sendTo(TransportOptions.defaults(), Handlers.answering(request -> lie.answer));
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.out()).contains("\"code\":\"" + lie.code + "\"");
    assertThat(sent.err().lines())
        .singleElement()
        .asString()
        .contains("; leave out --resume")
        .doesNotContain("java.");
  }

  private Outcome sendTo(RequestHandler answering, List<ReceivedArray> came) throws Exception {
    return sendTo(
        TransportOptions.defaults(),
        Handlers.ofArrays((connection, array) -> came.add(array)).withRequests(answering));
  }

  private Outcome sendTo(TransportOptions options, Handlers handlers) throws Exception {
    try (Transport transport = NioTransport.create(options);
        Listener listener = transport.listen(anywhere(), handlers)) {
      return run("send", "--resume", "--json", "--to", text(listener), file().toString());
    }
  }

  private static boolean asksWhetherItBeginsSo(ReceivedArray request) {
    return request.header().attributes().metadata().containsKey(ElementDigest.KEY);
  }

  /** Nothing is left out that the receiver does not find in its own file. */
  @Test
  void whatDoesNotAgreeIsSent() throws Exception {
    List<ReceivedArray> came = new CopyOnWriteArrayList<>();
    Outcome sent =
        sendTo(
            (connection, request, reply) ->
                reply.send(
                    asksWhetherItBeginsSo(request)
                        ? answer("other-part", 0)
                        : answer("part", COUNT / 2)),
            came);
    assertThat(sent.status()).as(sent.toString()).isZero();
    assertThat(sent.err()).contains(" is sent: what the receiver has is not its beginning");
    assertThat(came).singleElement().extracting(ReceivedArray::count).isEqualTo(COUNT);
    assertThat(came.get(0).header().attributes().metadata())
        .containsEntry(ResumeQuestion.FROM, "0");
  }

  @Test
  void theSecondAnswerIsAboutTheSameElements() throws Exception {
    List<ReceivedArray> came = new CopyOnWriteArrayList<>();
    Outcome sent =
        sendTo(
            (connection, request, reply) ->
                reply.send(answer("part", asksWhetherItBeginsSo(request) ? 8 : 7)),
            came);
    assertThat(sent.out()).as(sent.toString()).contains("\"code\":\"BAD_LENGTH\"");
    assertThat(came).isEmpty();
  }

  /** What a busy or a broken receiver has may be most of the file: it is not replaced. */
  @Test
  void aReceiverThatCannotSayIsSentNothing() throws Exception {
    List<ReceivedArray> came = new CopyOnWriteArrayList<>();
    Outcome sent =
        sendTo(
            (connection, request, reply) -> {
              throw ArraywireException.refusal("the receiver cannot read what it has of the file");
            },
            came);
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.err())
        .startsWith(
            "arraywire send: the far side refused the request: the receiver cannot read what it has"
                + " of the file (request=");
    assertThat(came).isEmpty();
  }

  /** What a sender asked for cannot be had there, which it learns before a byte is sent. */
  @Test
  void aProgramThatTakesArraysOnlyIsSentNothing() throws Exception {
    List<ReceivedArray> came = new CopyOnWriteArrayList<>();
    Outcome sent =
        sendTo(
            TransportOptions.defaults(), Handlers.ofArrays((connection, array) -> came.add(array)));
    assertThat(sent.status()).as(sent.toString()).isEqualTo(1);
    assertThat(sent.err())
        .contains("arraywire send: the receiver keeps nothing of a transfer that breaks off")
        .contains("or leave out --resume (file=", "receiver=there is no request handler)");
    assertThat(came).isEmpty();
  }

  /** More than fits into the heap of this JVM, since it takes twice as much while it grows. */
  @Test
  void anAnswerTakesNoMoreMemoryThanItMay() throws Exception {
    int many = (int) (Math.min(Runtime.getRuntime().maxMemory(), 2L << 30) * 2 / 3 / 8);
    ArraySource zeros =
        new ArraySource() {
          @Override
          public ElementType type() {
            return ElementType.LONG;
          }

          @Override
          public long count() {
            return many;
          }

          @Override
          public ElementReader open() {
            byte[] window = new byte[1 << 16];
            return (index, some, target) -> {
              for (int left = 8 * some; left > 0; left -= window.length) {
                target.put(window, 0, Math.min(left, window.length));
              }
            };
          }
        };
    TransportOptions large = TransportOptions.builder().maxArrayBytes(1L << 34).build();
    Outcome sent =
        sendTo(
            large,
            Handlers.ofRequests((connection, request, reply) ->
                reply.send(zeros, SendOptions.defaults().metadata("state", "nothing"))));
    assertThat(sent.out()).as(sent.toString()).contains("\"code\":\"PROTOCOL_VIOLATION\"");
  }

  /** A receiver that says so is busy for as long as a sender waits. */
  @Test
  void aReceiverThatIsAlwaysBusyEndsIt() throws Exception {
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(anywhere(), Handlers.answering(request -> answer("busy", 0)));
        Connection connection = transport.connect(listener.address())) {
      io.arraywire.examples.file.ArrayFile file = io.arraywire.examples.file.ArrayFile.npy(file());
      Outgoing outgoing = new Outgoing(file, TravelName.parse("a.npy"), "a.npy", null);
      Resuming resuming = new Resuming(note -> {}, Duration.ofMillis(200));
      assertThatThrownBy(() -> resuming.of(connection, outgoing))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("takes a file of that name from another sender");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "../a.npy, float, the name of the file leads out of the directory",
    "/tmp/a.npy, float, the name of the file leads out of the directory",
    "a/../../a.npy, float, the name of the file leads out of the directory",
    ".a.npy, float, the name of the file leads out of the directory",
    "a.txt, float, the name of the file does not end in .npy",
    "a.npy, complex, the question about a file is not understood",
    "link/a.npy, float, 'a part of the file''s name exists already, and is no directory'"
  })
  void aQuestionIsAboutFilesBelowTheDirectoryOnly(String name, String type, String words)
      throws Exception {
    Path secret = Files.createDirectories(dir.resolve("secret"));
    Files.copy(file(), secret.resolve("a.npy"));
    Path got = Files.createDirectories(dir.resolve("got"));
    Files.createSymbolicLink(got.resolve("link"), secret);
    try (ResumeServer server = new ResumeServer("nio", got);
        Connection peer = server.connect()) {
      Message question =
          Message.of(new long[] {COUNT}).attribute(TravelName.KEY, name).attribute("type", type);
      assertThatThrownBy(() -> peer.call(question, PATIENCE))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining(words);
      assertThat(state(peer, "b.npy", COUNT)).isEqualTo("nothing");
    }
  }

  /**
   * A request that is meant for another server: the receiver says what it is, and what it takes.
   */
  @Test
  void aRequestOfAnotherProgramIsToldWhatTheReceiverTakes() throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        Connection peer = server.connect()) {
      assertThatThrownBy(() -> peer.call(Message.of(new float[] {1, 2}), PATIENCE))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("this is 'arraywire receive', which takes arrays and answers")
          .hasMessageContaining("send the array, or connect to a program that has a request");
      assertThat(state(peer, "b.npy", COUNT)).isEqualTo("nothing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "4611686018427387904,4611686018427387904", "9223372036854775807"})
  void aShapeThatNoFileHas(String shape) throws Exception {
    long[] dimensions = Stream.of(shape.split(",", -1)).mapToLong(Long::parseLong).toArray();
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        Connection peer = server.connect()) {
      Message question =
          Message.of(dimensions).attribute(TravelName.KEY, "a.npy").attribute("type", "float");
      assertThatThrownBy(() -> peer.call(question, PATIENCE))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("the question about a file is not understood");
    }
  }

  private static String state(Connection peer, String name, long count) throws Exception {
    return ResumeServer.state(
        peer,
        Message.of(new long[] {count}).attribute(TravelName.KEY, name).attribute("type", "float"));
  }

  /** Says that a file of zeros begins with so many of them. */
  private static String agreed(Connection peer, String name, int elements) throws Exception {
    byte[] zeros = MessageDigest.getInstance("SHA-256").digest(new byte[4 * elements]);
    return ResumeServer.state(
        peer, ResumeServer.question(name, elements, HexFormat.of().formatHex(zeros), COUNT));
  }

  private static SendOptions from(String name, String from) {
    return SendOptions.processed()
        .metadata(TravelName.KEY, name)
        .metadata(ResumeQuestion.FROM, from);
  }

  /** Leaves half of a file of zeros. */
  private static void half(ResumeServer server, String name) throws Exception {
    HalfSource half = HalfSource.only(COUNT);
    try (Connection peer = server.connect()) {
      half.rest().countDown();
      assertThatThrownBy(() -> peer.send(half, from(name, "0"))).hasMessageContaining("broken off");
    }
    Awaitility.await()
        .until(() -> server.parts().size() == 1 && Files.size(server.parts().get(0)) > 256 << 10);
    try (Connection probe = server.connect()) {
      Awaitility.await().until(() -> !state(probe, name, COUNT).equals("busy"));
      // Nobody holds it any more.
      assertThat(state(probe, "none.npy", COUNT)).isEqualTo("nothing");
    }
  }

  /**
   * Whatever a sender says of its elements, they go behind those that it was told of, or nowhere.
   */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aSenderThatLiesIsRefused(String name) throws Exception {
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer(name, got)) {
      half(server, "a.npy");
      byte[] before = Files.readAllBytes(server.parts().get(0));
      try (Connection peer = server.connect()) {
        float[] ones = new float[COUNT];
        for (String from : List.of("-1", "x", "", "1e3", "99999999999999999999")) {
          assertRefused(peer, ones, from("a.npy", from), "the number of elements before it (from=");
        }
        // Without a question.
        assertRefused(peer, ones, from("a.npy", "5"), "does not hold the elements before these");
        // More than was compared, of another shape, of another file, and of another type.
        assertThat(agreed(peer, "a.npy", 5)).isEqualTo("part");
        assertRefused(
            peer, new float[COUNT - 6], from("a.npy", "6"), "does not hold the elements before");
        assertThat(agreed(peer, "a.npy", 5)).isEqualTo("part");
        assertRefused(peer, ones, from("a.npy", "5"), "does not hold the elements before these");
        assertThat(agreed(peer, "a.npy", 5)).isEqualTo("part");
        assertRefused(
            peer, new float[COUNT - 5], from("b.npy", "5"), "does not hold the elements before");
        assertThat(agreed(peer, "a.npy", 5)).isEqualTo("part");
        assertRefused(
            peer,
            new int[COUNT - 5],
            from("a.npy", "5"),
            "does not hold the elements before these");
        assertThat(agreed(peer, "a.npy", COUNT)).as("more than there is").isEqualTo("other-part");
        assertRefused(
            peer,
            ones,
            SendOptions.processed().metadata(ResumeQuestion.FROM, "5"),
            "must carry the file's name");
        assertRefused(peer, ones, from("../a.npy", "0"), "leads out of the directory");
        assertThat(Files.readAllBytes(server.parts().get(0))).isEqualTo(before);
        assertThat(server.parts()).hasSize(1);
        assertThat(dir.toFile().list()).containsExactly("got");

        // The connection is as good as before, and the rest of the file still comes.
        assertThat(agreed(peer, "a.npy", 5)).isEqualTo("part");
        peer.send(new float[COUNT - 5], from("a.npy", "5"));
      }
      assertThat((float[]) NpyReader.read(got.resolve("a.npy")).elements().array())
          .isEqualTo(new float[COUNT]);
      assertThat(server.complaints()).allMatch(each -> !each.getMessage().isBlank());
    }
  }

  private static void assertRefused(
      Connection peer, Object elements, SendOptions options, String words) {
    assertThatThrownBy(() -> peer.send(ArraySlice.ofArray(elements), options))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining(words);
  }

  /** So no file has the beginning of one sender and the end of another. */
  @Test
  void aSenderThatDoesNotKnowTheBeginningDoesNotWriteBehindIt() throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"))) {
      half(server, "a.npy");
      byte[] before = Files.readAllBytes(server.parts().get(0));
      try (Connection peer = server.connect()) {
        ReceivedArray told =
            peer.call(
                Message.of(new long[] {COUNT})
                    .attribute(TravelName.KEY, "a.npy")
                    .attribute("type", "float"),
                PATIENCE);
        assertThat(told.header().attributes().metadata()).containsOnly(entry("state", "part"));
        float[] rest = new float[COUNT - 5];
        assertRefused(peer, rest, from("a.npy", "5"), "does not hold the elements before these");
        assertThat(ResumeServer.state(peer, ResumeServer.question("a.npy", 5, DIGEST, COUNT)))
            .isEqualTo("other-part");
        assertRefused(peer, rest, from("a.npy", "5"), "does not hold the elements before these");
      }
      assertThat(server.parts())
          .singleElement()
          .satisfies(part -> assertThat(part).hasBinaryContent(before));
    }
  }

  @ParameterizedTest
  @CsvSource({"5,", ", 00", "-1, 00", "x, 00", "5, 0", "1048577, 00"})
  void aBeginningThatIsNone(String elements, String digest) throws Exception {
    Message question =
        Message.of(new long[] {COUNT})
            .attribute(TravelName.KEY, "a.npy")
            .attribute("type", "float");
    if (elements != null) {
      question = question.attribute("elements", elements);
    }
    if (digest != null) {
      question = question.attribute(ElementDigest.KEY, digest.repeat(32));
    }
    Message asked = question;
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        Connection peer = server.connect()) {
      assertThatThrownBy(() -> peer.call(asked, PATIENCE))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("the question about a file is not understood");
    }
  }

  /** Only a sender that was told of what is kept has it replaced. */
  @Test
  void aSenderThatDoesNotAskReplacesNothingThatIsKept() throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"))) {
      half(server, "a.npy");
      byte[] before = Files.readAllBytes(server.parts().get(0));
      HalfSource other = HalfSource.only(COUNT - 2);
      other.rest().countDown();
      try (Connection peer = server.connect()) {
        assertThatThrownBy(() -> peer.send(other, from("a.npy", "0")))
            .hasMessageContaining("broken off");
        assertThat(state(peer, "b.npy", COUNT)).as("in order behind it").isEqualTo("nothing");
      }
      Awaitility.await().until(() -> server.parts().size() == 1);
      assertThat(server.parts().get(0)).hasBinaryContent(before);
    }
  }

  /** Over the heap, and into a hidden file of its own. */
  @ParameterizedTest
  @CsvSource({"10, 0", "10,", "1048576,"})
  void whatIsKeptGoesWhenTheFileComesInAnotherWay(int count, String from) throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"))) {
      half(server, "a.npy");
      try (Connection peer = server.connect()) {
        if (from != null) {
          assertThat(state(peer, "a.npy", count)).isEqualTo("other-part");
        }
        peer.send(
            new float[count],
            from != null
                ? from("a.npy", from)
                : SendOptions.processed().metadata(TravelName.KEY, "a.npy"));
        assertThat(server.parts()).isEmpty();
        assertThat(dir.resolve("got/a.npy")).exists();
      }
    }
  }

  /** What one connection was told of, another does not get; and it is free when that ends. */
  @Test
  void whatWasOfferedIsHeldForThatConnection() throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"))) {
      half(server, "a.npy");
      try (Connection other = server.connect()) {
        try (Connection peer = server.connect()) {
          assertThat(state(peer, "a.npy", COUNT)).isEqualTo("part");
          assertThat(state(peer, "a.npy", COUNT)).as("asked again").isEqualTo("part");
          assertThat(state(other, "a.npy", COUNT)).isEqualTo("busy");
          assertThat(state(peer, "b.npy", COUNT)).isEqualTo("nothing");
          assertThat(state(other, "a.npy", COUNT)).as("it asked for another").isEqualTo("part");
          assertThat(state(peer, "a.npy", COUNT)).isEqualTo("busy");
        }
        other.closeNow();
      }
      try (Connection third = server.connect()) {
        Awaitility.await().until(() -> state(third, "a.npy", COUNT).equals("part"));
        assertThat(state(third, "a.npy", COUNT + 1)).isEqualTo("other-part");
      }
    }
  }

  /** With --verify, what does not agree is not gone on with either. */
  @Test
  void whatWasNotSentIsNotKept() throws Exception {
    try (ResumeServer server = new ResumeServer("nio", dir.resolve("got"));
        Connection peer = server.connect()) {
      assertRefused(
          peer,
          new float[COUNT],
          from("a.npy", "0").metadata(ElementDigest.KEY, DIGEST),
          "not the one that was sent; nothing of it was kept");
      assertThat(server.parts()).isEmpty();
      assertThat(state(peer, "a.npy", COUNT)).isEqualTo("nothing");
    }
  }

  /** In pieces no file becomes larger than in one. */
  @Test
  void theLargestArrayIsTheLargestFile() throws Exception {
    Path got = dir.resolve("got");
    try (ResumeServer server = new ResumeServer("nio", got)) {
      half(server, "a.npy");
    }
    try (ResumeServer server = new ResumeServer("nio", got, 4L * COUNT - 1);
        Connection peer = server.connect()) {
      assertThat(state(peer, "a.npy", COUNT)).isEqualTo("nothing");
      assertRefused(
          peer, new float[COUNT / 2], from("a.npy", "" + COUNT / 2), "does not hold the elements");
    }
  }

  /** Nor does a link that somebody has put there lead anywhere. */
  @Test
  void aLinkIsNothingThatIsKept() throws Exception {
    Path got = dir.resolve("got");
    Path outside = Files.write(dir.resolve("outside"), new byte[] {1, 2, 3});
    try (ResumeServer server = new ResumeServer("nio", got)) {
      half(server, "a.npy");
      Path kept = server.parts().get(0);
      Files.delete(kept);
      Files.createSymbolicLink(kept, outside);
      try (Connection peer = server.connect()) {
        assertThat(state(peer, "a.npy", COUNT)).isEqualTo("nothing");
        peer.send(new float[COUNT], from("a.npy", "0"));
      }
      assertThat(got.resolve("a.npy")).hasSize(4L * COUNT + 128);
      assertThat(outside).hasBinaryContent(new byte[] {1, 2, 3});
    }
  }
}
