package io.arraywire.benchmarks.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ByteStreamTest {
  @Test
  void whatIsWrittenIsReadUntilTheEnd() throws Exception {
    ByteStream stream = new ByteStream();
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    Thread reader =
        new Thread(() -> {
          try {
            read.complete(stream.in().readAllBytes());
          } catch (Exception e) {
            read.completeExceptionally(e);
          }
        });
    reader.start();
    stream.out().write("one ".getBytes(US_ASCII));
    stream.add(new byte[0]);
    stream.out().write('2');
    stream.out().write("xx three".getBytes(US_ASCII), 2, 6);
    stream.end();
    assertThat(read.get()).asString(US_ASCII).isEqualTo("one 2 three");
    assertThat(stream.in().read()).isEqualTo(-1);
  }

  @Test
  void aLineIsThereBeforeTheNextIsWritten() throws Exception {
    ByteStream stream = new ByteStream();
    stream.out().write("line\n".getBytes(US_ASCII));
    byte[] bytes = new byte[100];
    assertThat(stream.in().read(bytes)).isEqualTo(5);
    assertThat(stream.in().available()).isZero();
  }

  /** As docker-java does with an array of 1,024 bytes that was full. */
  @Test
  void addedBytesMayBeOverwritten() throws Exception {
    ByteStream stream = new ByteStream();
    byte[] bytes = "first ".getBytes(US_ASCII);
    stream.add(bytes);
    System.arraycopy("second".getBytes(US_ASCII), 0, bytes, 0, bytes.length);
    stream.add(bytes);
    stream.end();
    assertThat(stream.in().readAllBytes()).asString(US_ASCII).isEqualTo("first second");
  }
}
