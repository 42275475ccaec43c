package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.kafka.ArrayProducer;
import io.arraywire.kafka.ArraySliceSerializer;
import io.arraywire.kafka.FloatArraySerializer;
import io.arraywire.kafka.MessageDeserializer;
import io.arraywire.kafka.MessageSerializer;
import io.arraywire.kafka.SplitOptions;
import io.arraywire.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The values of records, written by Java and read by the Python package, and the reverse. */
class KafkaRecordsPythonIT {
  @TempDir Path dir;

  @BeforeAll
  static void requirePython() throws InterruptedException {
    Python.require("numpy");
  }

  private void python(String... lines) throws Exception {
    Path package_ =
        Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("../python/src");
    Path script = dir.resolve("script.py");
    Files.write(
        script,
        List.of(
            "import pathlib, struct, numpy as np, arraywire.message as message",
            "dir = pathlib.Path(" + quoted(dir) + ")",
            "read = lambda name: message.decode((dir / name).read_bytes())"));
    Files.write(script, List.of(lines), java.nio.file.StandardOpenOption.APPEND);
    try (CliProcess process =
        CliProcess.start(Map.of("PYTHONPATH", package_.toString()), Python.interpreter(), script)) {
      assertThat(process.awaitExit()).as(String.join("\n", process.err())).isZero();
    }
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("\\", "\\\\") + "'";
  }

  @Test
  void recordsOfJavaAreReadInPython() throws Exception {
    Files.write(
        dir.resolve("floats"), new FloatArraySerializer().serialize("t", new float[] {1, -2.5f}));
    Files.write(
        dir.resolve("halves"),
        new ArraySliceSerializer()
            .serialize(
                "t",
                io.arraywire.ArraySlice.of(new short[] {0x3c00, 0x4000}).as(ElementType.FP16)));
    Files.write(
        dir.resolve("message"),
        new MessageSerializer()
            .serialize(
                "t",
                Message.of("ids", new long[] {1, 2}, 2, 1)
                    .with("scores", new double[] {0.5})
                    .tag(7)
                    .attribute("unit", "K")));
    MessageSerializer bigEndian = new MessageSerializer();
    bigEndian.configure(
        Map.of("arraywire.encoding", "raw-be", "arraywire.checksum", "true"), false);
    Files.write(dir.resolve("swapped"), bigEndian.serialize("t", Message.of(new int[] {1, 2, 3})));
    python(
        "assert read('floats').array.tolist() == [1.0, -2.5]",
        "assert read('halves').array.tolist() == [1.0, 2.0]",
        "m = read('message')",
        "assert m['ids'].tolist() == [[1], [2]] and m['scores'].tolist() == [0.5], m",
        "assert m.tag == 7 and dict(m.metadata) == {'unit': 'K'}",
        "assert read('swapped').array.tolist() == [1, 2, 3]");
  }

  /** The header is little-endian, and each piece a message, as docs/kafka.md says. */
  @Test
  void piecesArePutTogetherInPython() throws Exception {
    MockProducer<String, byte[]> producer =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    float[] elements = new float[100];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i;
    }
    ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(64))
        .send(new ProducerRecord<>("t", "k", Message.of(elements, 4, 25)))
        .join();
    int pieces = producer.history().size();
    for (int i = 0; i < pieces; i++) {
      Files.write(dir.resolve("piece" + i), producer.history().get(i).value());
      Files.write(
          dir.resolve("header" + i),
          producer.history().get(i).headers().lastHeader("arraywire-piece").value());
    }
    python(
        "all = []",
        "for i in range(" + pieces + "):",
        "    header = (dir / f'header{i}').read_bytes()",
        "    version, dims, name = struct.unpack_from('<BBH', header)",
        "    index, of, first, elements = struct.unpack_from('<IIQQ', header, 24)",
        "    assert (version, index, of, elements) == (1, i, " + pieces + ", 100)",
        "    assert first == sum(map(len, all))",
        "    if i == 0: shape = struct.unpack_from(f'<{dims}Q', header, 48)",
        "    all.append(read(f'piece{i}').array)",
        "assert np.concatenate(all).reshape(shape).tolist() == np.arange(100.).reshape(4, 25).tolist()");
  }

  @Test
  void recordsOfPythonAreReadInJava() throws Exception {
    python(
        "(dir / 'record').write_bytes(message.encode(np.arange(6, dtype='f8').reshape(2, 3), tag=9,"
            + " metadata={'unit': 'K'}))");
    Message message =
        new MessageDeserializer().deserialize("t", Files.readAllBytes(dir.resolve("record")));
    assertThat(message.doubles()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(message.parts().get(0).shape()).containsExactly(2, 3);
    assertThat(message.tag()).isEqualTo(9);
    assertThat(message.attributes()).isEqualTo(Map.of("unit", "K"));
  }
}
