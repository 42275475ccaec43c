package io.arraywire.kafka;

import io.arraywire.chaos.broker.TestBroker;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A broker on this host for a first try, from the jars that the tests have: {@code
 * docs/scaling.md}, where there is no Docker.
 */
final class LocalBroker {
  private LocalBroker() {}

  /**
   * Starts a broker with some topics of one partition. It runs until Ctrl-C or SIGTERM, and keeps
   * nothing.
   *
   * @param arguments the port, then the names of topics
   */
  public static void main(String[] arguments) throws Exception {
    Path dir = Files.createTempDirectory("broker");
    TestBroker broker = TestBroker.start(dir, Integer.parseInt(arguments[0]));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              broker.close();
              SerializerPairs.delete(dir);
            }));
    for (int i = 1; i < arguments.length; i++) {
      broker.create(arguments[i]);
    }
    System.out.println("broker at " + broker.address());
    Thread.currentThread().join();
  }
}
