package io.arraywire.kafka;

import static io.arraywire.kafka.ArrayAssemblerTest.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ErrorCode;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pieces that no {@link ArrayProducer} sends, very many of them, and what is kept of each. */
class HostilePiecesTest {
  private static final String TOPIC = "weights";
  private static final int PIECES = 4;
  private static final float[] ELEMENTS = {1, 2, 3, 4};
  private static final byte[] VALUE = new FloatArraySerializer().serialize(TOPIC, ELEMENTS);

  private final ArrayAssembler<String> assembler =
      ArrayAssembler.within(AssemblyOptions.defaults());
  private long offset;

  private static PieceLayout layout(int array, int index, String name) {
    return new PieceLayout(
        new UUID(1, array),
        index,
        PIECES,
        (long) index * ELEMENTS.length,
        (long) PIECES * ELEMENTS.length,
        List.of(),
        name);
  }

  private ConsumerRecord<String, ByteBuffer> piece(String key, byte[] header) {
    ProducerRecord<String, byte[]> record = new ProducerRecord<>(TOPIC, key, VALUE);
    record.headers().add(PieceLayout.HEADER, header);
    return at(offset++, record);
  }

  private ConsumerRecord<String, ByteBuffer> piece(int array, int index) {
    return piece("key " + array, layout(array, index, "").write());
  }

  private static List<ArrayRecordException> failures(List<ArrayRecord<String>> results) {
    List<ArrayRecordException> failures = new ArrayList<>();
    for (ArrayRecord<String> each : results) {
      assertThat(each.failure()).as("%s", each).isNotNull();
      failures.add(each.failure());
    }
    return failures;
  }

  /** What a decoder puts in place of bytes that are no text takes more bytes than a name may. */
  @Test
  void aNameThatIsNoTextIsATypedFailure() {
    String name = "n".repeat(Message.MAX_NAME_BYTES);
    byte[] first = layout(0, 0, name).write();
    List<ArrayRecord<String>> results = new ArrayList<>(assembler.add(piece("k", first)));
    for (int i = 1; i < PIECES; i++) {
      results.addAll(assembler.add(piece("k", layout(0, i, "").write())));
    }
    assertThat(results.get(0).message().part(name).count()).isEqualTo(PIECES * ELEMENTS.length);
    Arrays.fill(first, first.length - name.length(), first.length, (byte) 0xff);
    List<ArrayRecordException> failures = failures(assembler.add(piece("k", first)));
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
    assertThat(failures.get(0)).hasMessageContaining("arraywire-piece");
    assertThat(assembler.add(piece(1, 0))).as("it goes on").isEmpty();
  }

  /** A program that reads one topic and writes another gives the headers on. */
  @Test
  void anArrayThatIsSentOnWithItsHeadersIsNoPiece() {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    ArrayProducer<String> arrays =
        ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(16));
    ProducerRecord<String, Message> large =
        new ProducerRecord<>(TOPIC, "k", Message.of(new float[12]));
    large.headers().add("trace", new byte[] {7});
    arrays.send(large);
    ArrayRecord<String> read = null;
    for (ProducerRecord<String, byte[]> each : producer.history()) {
      for (ArrayRecord<String> array : assembler.add(at(offset++, each))) {
        read = array;
      }
    }
    assertThat(read.headers().toArray()).hasSize(1);
    // Its own headers, and those of a record that was read without an assembler.
    Headers ofPiece = producer.history().get(0).headers();
    assertThat(ofPiece.lastHeader(PieceLayout.HEADER)).isNotNull();
    for (Headers headers : List.of(read.headers(), ofPiece)) {
      producer.clear();
      arrays.send(new ProducerRecord<>("means", null, "k", Message.of(new float[] {6}), headers));
      arrays.send(new ProducerRecord<>("means", null, "k", (Message) null, headers));
      for (ProducerRecord<String, byte[]> each : producer.history()) {
        assertThat(each.headers().lastHeader(PieceLayout.HEADER)).isNull();
        assertThat(each.headers().lastHeader("trace").value()).containsExactly(7);
        List<ArrayRecord<String>> sentOn = assembler.add(at(offset++, each));
        assertThat(sentOn).hasSize(1);
        assertThat(sentOn.get(0).failure()).isNull();
      }
    }
  }

  /** Kafka's consumer leaves headers where it fetched them, until somebody asks for the value. */
  @Test
  void headersAreNotKeptInTheBytesThatWereFetched() {
    byte[] fetched = "trace-7".getBytes(StandardCharsets.UTF_8);
    RecordHeaders headers = new RecordHeaders();
    headers.add(new RecordHeader(ByteBuffer.wrap(fetched, 0, 5), ByteBuffer.wrap(fetched, 6, 1)));
    ProducerRecord<String, byte[]> whole = new ProducerRecord<>(TOPIC, null, "k", VALUE, headers);
    List<ArrayRecord<String>> results = assembler.add(at(offset++, whole));
    Arrays.fill(fetched, (byte) '!');
    Headers kept = results.get(0).headers();
    assertThat(kept.lastHeader("trace").value()).containsExactly('7');
  }

  /** An array of which a few bytes have come has objects, a key and headers all the same. */
  @Test
  void whatIsKeptBesideTheElementsIsWithinTheLimitToo() {
    long limit = 1 << 20;
    ArrayAssembler<String> small =
        ArrayAssembler.within(AssemblyOptions.defaults().arrayBytes(limit).pendingBytes(limit));
    List<ArrayRecord<String>> results = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      results.addAll(small.add(piece(i, 0)));
      assertThat(small.pendingBytes()).isLessThanOrEqualTo(limit);
    }
    assertThat(failures(results))
        .hasSizeGreaterThan(8_900)
        .allMatch(each -> each.code() == ErrorCode.MEMORY_BUDGET);
    // A single one has room, whatever its header takes.
    ArrayAssembler<String> only =
        ArrayAssembler.within(AssemblyOptions.defaults().arrayBytes(64).pendingBytes(64));
    List<ArrayRecord<String>> whole = new ArrayList<>();
    for (int i = 0; i < PIECES; i++) {
      ConsumerRecord<String, ByteBuffer> piece = piece(1, i);
      piece.headers().add("trace", new byte[4_000]);
      whole.addAll(only.add(piece));
    }
    assertThat(whole).hasSize(1);
    assertThat(whole.get(0).failure()).isNull();
    assertThat(only.pendingBytes()).isZero();
  }

  @Test
  void eachOfManyArraysThatFailIsReportedOnce() {
    int arrays = 1_000;
    List<ArrayRecord<String>> results = new ArrayList<>();
    // All are without their second piece.
    for (int index : new int[] {0, 2, 3}) {
      for (int i = 0; i < arrays; i++) {
        results.addAll(assembler.add(piece(i, index)));
      }
    }
    assertThat(failures(results))
        .hasSize(arrays)
        .allMatch(each -> each.code() == ErrorCode.SEQUENCE_GAP);
    assertThat(assembler.pendingBytes()).isZero();
  }

  /** If each looked at all of them, it would take minutes. */
  @Test
  @Timeout(30)
  void aPieceCostsTheSameHoweverManyArraysAreUnfinished() {
    int arrays = 100_000;
    int whole = 0;
    for (int index = 0; index < PIECES; index++) {
      for (int i = 0; i < arrays; i++) {
        whole += assembler.add(piece(i, index)).size();
      }
    }
    assertThat(whole).isEqualTo(arrays);
    assertThat(assembler.pendingBytes()).isZero();
  }

  @Test
  void aDeadlineMayBeAsLongAsADurationCanBe() {
    ArrayAssembler<String> patient =
        ArrayAssembler.within(
            AssemblyOptions.defaults().deadline(Duration.ofSeconds(Long.MAX_VALUE)));
    for (int i = 0; i < PIECES - 1; i++) {
      assertThat(patient.add(piece(1, i))).isEmpty();
    }
    assertThat(patient.add(piece(1, PIECES - 1)).get(0).failure()).isNull();
  }
}
