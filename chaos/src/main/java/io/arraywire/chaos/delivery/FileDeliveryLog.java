package io.arraywire.chaos.delivery;

import java.io.BufferedInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A log in a file of its own, one per process, which a SIGKILL of that process does not damage.
 * Each event is one write, and the kernel keeps what it has taken. (A crash of the machine is
 * another matter.) A record has 36 bytes, little-endian:
 *
 * <pre>
 *   0       4        8         12        16         24     32    36
 *   | event | sender | session | channel | sequence | hash | CRC |
 * </pre>
 *
 * <p>where CRC is the CRC32C of the bytes before it. Any thread may write.
 */
public final class FileDeliveryLog implements DeliveryLog, AutoCloseable {
  private static final int EVENT_AT = 0;
  private static final int SENDER_AT = 4;
  private static final int SESSION_AT = 8;
  private static final int CHANNEL_AT = 12;
  private static final int SEQUENCE_AT = 16;
  private static final int HASH_AT = 24;
  private static final int CRC_AT = 32;
  private static final int RECORD_BYTES = 36;
  private static final int READ_BUFFER_BYTES = 1 << 16;

  private final Path file;
  // Not a FileChannel, which an interrupt of a thread that logs would close.
  private final OutputStream out;

  // Guarded by this.
  private final ByteBuffer next = ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private FileDeliveryLog(Path file, OutputStream out) {
    this.file = file;
    this.out = out;
  }

  /**
   * Begins a log.
   *
   * @param file where, which must not exist
   * @return the log, to be closed by the caller
   * @throws IOException if the file exists or cannot be made
   */
  public static FileDeliveryLog create(Path file) throws IOException {
    Files.createFile(file);
    return new FileDeliveryLog(file, new FileOutputStream(file.toFile()));
  }

  /**
   * Gives the events of a log to another, in order. A record at the end that is not whole, of a
   * process that was killed while it wrote, is passed over.
   *
   * @param file the log
   * @param to takes the events
   * @return how many there were
   * @throws IOException if the file cannot be read, or a record in it is damaged
   */
  public static long replay(Path file, DeliveryLog to) throws IOException {
    long records = 0;
    byte[] bytes = new byte[RECORD_BYTES];
    ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), READ_BUFFER_BYTES)) {
      while (in.readNBytes(bytes, 0, RECORD_BYTES) == RECORD_BYTES) {
        DeliveryEvent event = DeliveryEvent.fromNumber(record.getInt(EVENT_AT));
        if (event == null || record.getInt(CRC_AT) != crc(bytes)) {
          throw new IOException(
              "a record is damaged (file="
                  + file
                  + ", record="
                  + records
                  + ", offset="
                  + records * RECORD_BYTES
                  + ")");
        }
        DeliveryStream stream =
            new DeliveryStream(
                record.getInt(SENDER_AT), record.getInt(SESSION_AT), record.getInt(CHANNEL_AT));
        to.record(event, stream, record.getLong(SEQUENCE_AT), record.getLong(HASH_AT));
        records++;
      }
    }
    return records;
  }

  @Override
  public synchronized void record(
      DeliveryEvent event, DeliveryStream stream, long sequence, long hash) {
    next.putInt(EVENT_AT, event.number());
    next.putInt(SENDER_AT, stream.sender());
    next.putInt(SESSION_AT, stream.session());
    next.putInt(CHANNEL_AT, stream.channel());
    next.putLong(SEQUENCE_AT, sequence);
    next.putLong(HASH_AT, hash);
    next.putInt(CRC_AT, crc(next.array()));
    try {
      out.write(next.array());
    } catch (IOException e) {
      throw new UncheckedIOException("the log cannot be written (file=" + file + ")", e);
    }
  }

  private static int crc(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record, 0, CRC_AT);
    return (int) crc.getValue();
  }

  /**
   * Ends the log.
   *
   * @throws IOException if the file cannot be closed
   */
  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
