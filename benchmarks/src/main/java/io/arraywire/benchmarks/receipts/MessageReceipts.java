package io.arraywire.benchmarks.receipts;

import io.arraywire.Encoding;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import io.arraywire.message.MessageView;
import java.nio.ByteBuffer;

/**
 * What it allocates to write a message into the caller's buffer, and to read it into the caller's
 * arrays: {@code java -cp benchmarks/target/benchmarks.jar
 * io.arraywire.benchmarks.receipts.MessageReceipts direct raw-le}. A line for each case: its name
 * and the bytes per message.
 */
public final class MessageReceipts {
  /** Enough for the compiler to see that no view of a buffer leaves its method. */
  private static final int WARM_UP = 60_000;

  private static final int MESSAGES = 10_000;
  private static final int ROUNDS = 20;
  private static final int[] SIZES = {16, 1_000};

  private MessageReceipts() {}

  /**
   * Measures one kind of memory and one encoding, as most programs use them.
   *
   * @param arguments {@code heap} or {@code direct}, then {@code raw-le} or {@code raw-be}
   * @throws Exception never
   */
  public static void main(String[] arguments) throws Exception {
    boolean direct = arguments[0].equals("direct");
    Encoding encoding =
        arguments[1].equals("raw-be") ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN;
    for (int size : SIZES) {
      measure(size, direct, MessageOptions.defaults().encoding(encoding));
    }
  }

  private static void measure(int size, boolean direct, MessageOptions options) throws Exception {
    float[] scores = new float[size];
    int[] ids = new int[size];
    Message one = Message.of(scores).tag(7);
    Message two =
        Message.of("ids", ids).with("scores", scores, 1, size).attribute("unit", "K").tag(7);
    int bytes = (int) ArrayMessage.encodedSize(two);
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    MessageView view = MessageView.within(Limits.ofBytes(bytes));
    String of = " " + size + (direct ? " direct " : " heap ") + options.encoding();

    report("encode one" + of, () -> ArrayMessage.encode(one, buffer.clear(), options));
    report(
        "read one" + of,
        () -> {
          view.read(buffer.position(0));
          view.readInto(Message.UNNAMED, scores);
        });
    report("encode two" + of, () -> ArrayMessage.encode(two, buffer.clear(), options));
    report(
        "read two" + of,
        () -> {
          view.read(buffer.position(0));
          view.readInto("ids", ids);
          view.readInto("scores", scores);
        });
  }

  private static void report(String name, LeastGarbage.Work work) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      work.run();
    }
    LeastGarbage.report(name, MESSAGES, ROUNDS, work);
  }
}
