package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.spi.Transports;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Peers that have much sent to them and read nothing, with the default options. */
interface UnreadTests {
  TransportStage stage();

  @Test
  default void subscribersThatReadNothingTakeNoPublisherDown() throws Exception {
    assertThat(inSmallHeap(UnreadPublications.class))
        .endsWith("hostile=20, dropped=true, disconnected=true");
  }

  @Test
  default void peersWhoseArraysNobodyTakesFillNoHeap() throws Exception {
    assertThat(inSmallHeap(UntakenArrays.class)).endsWith("cut=true, served=true");
  }

  @Test
  default void peersWhoseArraysHaveBegunFillNoHeap() throws Exception {
    assertThat(inHeap("-Xmx96m", UntakenArrays.class, "begun")).endsWith("cut=true, served=true");
  }

  @Test
  default void peersInPlainModeWhoseArraysNobodyTakesFillNoHeap() throws Exception {
    assertThat(inSmallHeap(UntakenPlainArrays.class)).endsWith("peers=150, served=true");
  }

  @Test
  default void arraysThatHaveBegunTakeWhatHasComeOfThem() throws Exception {
    assertThat(inSmallHeap(BegunArrays.class)).endsWith("peers=20, open=true");
  }

  @Test
  default void largeArraysThatSlowHandlersHoldFillNoHeap() throws Exception {
    assertHandled(HandledArrays.Sent.LARGE);
  }

  @Test
  default void smallArraysThatSlowHandlersHoldFillNoHeap() throws Exception {
    assertHandled(HandledArrays.Sent.SMALL);
  }

  @Test
  default void smallArraysThatManyHandlersHoldEndNobodyElse() throws Exception {
    assertThat(inHeap("-Xmx64m", HandledArrays.class, HandledArrays.Sent.HELD.name()))
        .endsWith("hostile=20, served=true");
  }

  @Test
  default void messagesThatSlowHandlersHoldFillNoHeap() throws Exception {
    assertHandled(HandledArrays.Sent.PARTS);
  }

  private void assertHandled(HandledArrays.Sent sent) throws Exception {
    assertThat(inHeap("-Xmx96m", HandledArrays.class, sent.name()))
        .endsWith("hostile=20, served=true");
  }

  @Test
  default void aHandlersArrayMayTakeMostOfTheHeap() throws Exception {
    assertThat(inSmallHeap(LargeHandledArray.class))
        .endsWith("came=true, refused=true, served=true");
  }

  @Test
  default void sessionsThatBreakInsideArraysFillNoHeap() throws Exception {
    assertThat(inSmallHeap(BrokenSessions.class)).endsWith("sessions=300, served=true");
  }

  @Test
  default void peersThatGiveNoCreditForEchoesFillNoHeap() throws Exception {
    assertAnswers(UnreadAnswers.Peers.WITHOUT_CREDIT);
  }

  @Test
  default void peersThatReadNoRepliesFillNoHeap() throws Exception {
    assertAnswers(UnreadAnswers.Peers.REQUESTING);
  }

  @Test
  default void peersThatAcknowledgeNoEchoFillNoHeap() throws Exception {
    assertAnswers(UnreadAnswers.Peers.WITHOUT_ACKNOWLEDGEMENT);
  }

  private void assertAnswers(UnreadAnswers.Peers peers) throws Exception {
    assertThat(inHeap("-Xmx64m", UnreadAnswers.class, peers.name()))
        .endsWith("hostile=20, refused=true, served=true");
  }

  /** What a program says that runs in a JVM of its own, over this transport. */
  private String inSmallHeap(Class<?> program) throws Exception {
    return inHeap("-Xmx96m", program);
  }

  private String inHeap(String most, Class<?> program, String... arguments) throws Exception {
    String name = stage().transport().name();
    assumeTrue(Transports.names().contains(name), name + " is here");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(most);
    // It lives for seconds, and a collector of many threads works on a full heap all the time.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", classPath(), program.getName(), name));
    command.addAll(List.of(arguments));
    // What the library logs comes from threads that go on while the program says its last word.
    Path logged = Files.createTempFile("small-heap", ".log");
    try {
      Process process = new ProcessBuilder(command).redirectError(logged.toFile()).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      assertThat(process.waitFor()).as("%s%n%s", said, Files.readString(logged)).isZero();
      return said;
    } finally {
      Files.delete(logged);
    }
  }

  /** What this JVM has on its class path and, where it has one, its module path. */
  private static String classPath() {
    String modules = System.getProperty("jdk.module.path");
    String classes = System.getProperty("java.class.path");
    return modules == null ? classes : classes + File.pathSeparator + modules;
  }
}
