package io.arraywire.testkit;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ArraywireException;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import io.arraywire.message.MessageView;
import io.arraywire.message.Part;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Hostile array messages: refused with a typed error, or the same when written and read again. */
@Tag("newest")
class MessageFuzzTest {
  private static final int MOST_BYTES = 4096;
  private static final Limits LIMITS = Limits.ofBytes(MOST_BYTES);

  /** Any bytes. */
  @FuzzTest
  void decode(byte[] data) throws ArraywireException {
    check(data);
  }

  /** With checksums that are right, so that there is something to be looked at behind them. */
  @FuzzTest
  void sealed(byte[] data) throws ArraywireException {
    byte[] bytes = Arrays.copyOf(data, Math.max(data.length, FrameLayout.HEADER_BYTES));
    ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(0, FrameLayout.MAGIC).put(4, (byte) 2).put(5, (byte) 1).put(9, (byte) 0);
    message.put(8, (byte) (bytes[8] & 1)).putInt(12, 0).putLong(16, 0).putInt(56, 0);
    // Mostly as many payload bytes as there are, and as many attribute bytes as fit.
    int attributes = Math.min(message.getShort(10) & 0xfff8, (bytes.length - 64) & ~7);
    int payload = bytes.length - FrameLayout.HEADER_BYTES - attributes;
    message.putShort(10, (short) attributes).putInt(48, payload).putLong(40, payload);
    message.putInt(52, (bytes[8] & 1) == 0 ? 0 : checksum(bytes, 64, bytes.length));
    message.putInt(60, checksum(bytes, 0, 60));
    check(bytes);
  }

  private static int checksum(byte[] bytes, int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, to - from);
    return (int) checksum.getValue();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void check(byte[] bytes) throws ArraywireException {
    ByteBuffer heap = ByteBuffer.wrap(bytes);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 3).position(3);
    direct.put(bytes).position(3);
    MessageView view = MessageView.within(LIMITS);
    Message message = read(view, heap, 0);
    Message same = read(MessageView.within(LIMITS), direct, 3);
    require((message == null) == (same == null), "heap and direct memory differ");
    if (message == null || same == null) {
      return;
    }
    long size = 0;
    boolean blocks = false;
    for (Part part : message.parts()) {
      size += (long) part.count() * part.type().bytes();
      blocks |= view.encoding(part.name()).isInBlocks();
      require(view.has(part.name()), "a part that is not found");
      require(view.count(part.name()) == part.count(), "another count");
      require(Arrays.equals(view.shape(part.name()), part.shape()), "another shape");
      Object array = part.type().newArray(part.count() + 1);
      require(view.readInto(part.name(), array, 1) == part.count(), "another number was read");
      for (int i = 0; i < part.count(); i++) {
        require(
            NaiveElements.same(part.type(), array, i + 1, part.slices().get(0).array(), i),
            "another element");
      }
    }
    // What is in blocks may be smaller than its elements, and is written raw below.
    require(size <= MOST_BYTES && (blocks || size <= bytes.length), "more memory than there was");
    require(view.parts() == message.parts().size(), "another number of parts");
    require(heap.position() == direct.position() - 3, "another end");
    require(blocks || heap.position() == ArrayMessage.encodedSize(message), "another size");
    byte[] written = ArrayMessage.encode(message);
    sameAgain(message, written, MessageOptions.defaults());
    sameAgain(
        message,
        ArrayMessage.encode(
            message, MessageOptions.defaults().encoding(Encoding.RAW_BIG_ENDIAN).checksum(false)),
        MessageOptions.defaults().encoding(Encoding.RAW_BIG_ENDIAN).checksum(false));
    require(Arrays.equals(written, ArrayMessage.encode(same)), "heap and direct memory differ");
  }

  private static @Nullable Message read(MessageView view, ByteBuffer source, int at)
      throws ArraywireException {
    try {
      view.read(source);
    } catch (ProtocolException e) {
      require(source.position() == at, "the position was moved");
      require(view.parts() == 0, "parts of what was refused");
      refused(e);
      return null;
    }
    try {
      return view.toMessage();
    } catch (ProtocolException e) {
      // What a block holds is looked at when its elements are wanted.
      require(mayHaveBlocks(view), "raw parts that are refused late: " + e.getMessage());
      refused(e);
      return null;
    }
  }

  /** Of parts with names it is not known here: the view is asked by name. */
  private static boolean mayHaveBlocks(MessageView view) {
    return !view.has(Message.UNNAMED) || view.encoding(Message.UNNAMED).isInBlocks();
  }

  private static void refused(ProtocolException e) {
    require(e.getMessage().length() < 300, "a long text: " + e.getMessage());
    require(e.getMessage().chars().noneMatch(Character::isISOControl), "control characters");
  }

  private static void sameAgain(Message message, byte[] bytes, MessageOptions options)
      throws ArraywireException {
    Message again = ArrayMessage.decode(bytes, LIMITS);
    require(again.attributes().equals(message.attributes()), "other attributes");
    require(again.tag() == message.tag(), "another tag");
    require(Arrays.equals(ArrayMessage.encode(again, options), bytes), "other bytes");
  }
}
