package io.arraywire.benchmarks.bench;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of {@code java.io} over a plain {@link Socket}. One byte acknowledges an array.
 *
 * @param name what it is called
 * @param summary what it does
 * @param form how an array is written
 * @param bufferBytes of the buffers at both ends, or 0 for none
 */
record JdkStreams(String name, String summary, Form form, int bufferBytes) implements Contender {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int MOST_ACKS = 1 << 12;

  /** All of them. */
  static List<Contender> all() {
    return List.of(
        new JdkStreams(
            "jdk-data-output",
            "DataOutputStream.writeFloat, a system call for each element",
            Form.DATA,
            0),
        new JdkStreams(
            "jdk-data-output-buffered",
            "DataOutputStream.writeFloat through buffers of 64 KiB",
            Form.DATA,
            BUFFER_BYTES),
        new JdkStreams(
            "jdk-object-stream",
            "ObjectOutputStream, filtered ObjectInputStream, buffers of 64 KiB",
            Form.OBJECT,
            BUFFER_BYTES),
        new JdkStreams(
            "jdk-deflater",
            "bytes of floats in bulk through DeflaterOutputStream, level 1",
            Form.DEFLATED,
            BUFFER_BYTES));
  }

  /** Writes the first elements of an array. */
  @FunctionalInterface
  interface Writer {
    void write(float[] source, int count) throws IOException;
  }

  /** Reads an array into another. */
  @FunctionalInterface
  interface Reader {
    void read(float[] target) throws IOException;
  }

  /** How an array is written. */
  enum Form {
    /** The number of elements, and each of them. */
    DATA {
      @Override
      Writer writer(OutputStream to) {
        DataOutputStream out = new DataOutputStream(to);
        return (source, count) -> {
          out.writeInt(count);
          for (int i = 0; i < count; i++) {
            out.writeFloat(source[i]);
          }
        };
      }

      @Override
      Reader reader(InputStream from, int most) {
        DataInputStream in = new DataInputStream(from);
        return target -> {
          int count = in.readInt();
          for (int i = 0; i < count; i++) {
            target[i] = in.readFloat();
          }
        };
      }
    },

    /** Compressed bytes of the elements; a flush after each array, so that it arrives. */
    DEFLATED {
      @Override
      Writer writer(OutputStream to) {
        DeflaterOutputStream out =
            new DeflaterOutputStream(to, new Deflater(Deflater.BEST_SPEED), BUFFER_BYTES, true);
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
        FloatBuffer floats = bytes.asFloatBuffer();
        return (source, count) -> {
          bytes.putInt(0, count);
          out.write(bytes.array(), 0, Integer.BYTES);
          for (int i = 0; i < count; i += floats.capacity()) {
            int some = Math.min(count - i, floats.capacity());
            floats.put(0, source, i, some);
            out.write(bytes.array(), 0, some * Float.BYTES);
          }
          out.flush();
        };
      }

      @Override
      Reader reader(InputStream from, int most) {
        InflaterInputStream in = new InflaterInputStream(from, new Inflater(), BUFFER_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
        FloatBuffer floats = bytes.asFloatBuffer();
        return target -> {
          readFully(in, bytes.array(), Integer.BYTES);
          int count = bytes.getInt(0);
          for (int i = 0; i < count; i += floats.capacity()) {
            int some = Math.min(count - i, floats.capacity());
            readFully(in, bytes.array(), some * Float.BYTES);
            floats.get(0, target, i, some);
          }
        };
      }

      private void readFully(InputStream in, byte[] to, int count) throws IOException {
        if (in.readNBytes(to, 0, count) < count) {
          throw new EOFException("the other end closed the connection");
        }
      }
    },

    /**
     * Serialization. {@code writeUnshared}, so that the stream does not keep arrays. Now and then
     * {@code reset}, because it keeps a number for each (the class comment of {@link
     * ObjectOutputStream}). The filter lets nothing pass but such arrays.
     */
    OBJECT {
      @Override
      Writer writer(OutputStream to) throws IOException {
        ObjectOutputStream out = new ObjectOutputStream(to);
        out.flush();
        return new Writer() {
          private int written;

          @Override
          public void write(float[] source, int count) throws IOException {
            written++;
            if (written % RESET_AFTER == 0) {
              out.reset();
            }
            out.writeUnshared(count == source.length ? source : Arrays.copyOf(source, count));
          }
        };
      }

      @Override
      Reader reader(InputStream from, int most) throws IOException {
        ObjectInputStream in = new ObjectInputStream(from);
        in.setObjectInputFilter(seen ->
            (seen.serialClass() == null || seen.serialClass() == float[].class)
                    && seen.arrayLength() <= most
                    && seen.depth() <= 1
                ? ObjectInputFilter.Status.ALLOWED
                : ObjectInputFilter.Status.REJECTED);
        return target -> {
          try {
            float[] elements = (float[]) in.readUnshared();
            System.arraycopy(elements, 0, target, 0, elements.length);
          } catch (ClassNotFoundException e) {
            throw new IOException("not an array", e);
          }
        };
      }
    };

    private static final int RESET_AFTER = 1 << 10;

    /**
     * Whether unread input always belongs to the next array. Deflate leaves a flush marker behind.
     */
    boolean readsAll() {
      return this != DEFLATED;
    }

    abstract Writer writer(OutputStream to) throws IOException;

    /**
     * Makes a reader.
     *
     * @param most elements of an array
     */
    abstract Reader reader(InputStream from, int most) throws IOException;
  }

  @Override
  public boolean keepsNans() {
    return false;
  }

  @Override
  public Receiver listen(float[] target) throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(Loopback.TCP.free());
    return new Receiving(server, target);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(Loopback.TCP.numbered(port));
    return new Sending(socket, source);
  }

  private final class Receiving implements Receiver {
    private final ServerSocket server;
    private final float[] target;
    private @Nullable Socket socket;
    private @Nullable InputStream in;
    private @Nullable Reader reader;

    Receiving(ServerSocket server, float[] target) {
      this.server = server;
      this.target = target;
    }

    @Override
    public int port() {
      return server.getLocalPort();
    }

    @Override
    public void serve(int count, Tally tally) throws IOException {
      Socket peer = socket;
      InputStream from = in;
      Reader arrays = reader;
      if (peer == null || from == null || arrays == null) {
        peer = server.accept();
        peer.setTcpNoDelay(true);
        from = peer.getInputStream();
        if (bufferBytes > 0) {
          from = new BufferedInputStream(from, bufferBytes);
        }
        arrays = form.reader(from, target.length);
        socket = peer;
        in = from;
        reader = arrays;
      }
      int owed = 0;
      do {
        arrays.read(target);
        owed++;
        // One write for all that came together, where that is known.
        if (owed == MOST_ACKS || !form.readsAll() || from.available() == 0) {
          peer.getOutputStream().write(new byte[owed]);
          owed = 0;
        }
      } while (tally.add(1));
      peer.getOutputStream().write(new byte[owed]);
    }

    @Override
    public void close() throws IOException {
      server.close();
      if (socket != null) {
        socket.close();
      }
    }
  }

  private final class Sending implements Sender {
    private final Socket socket;
    private final float[] source;
    private final OutputStream out;
    private final Writer writer;
    private final byte[] acks = new byte[MOST_ACKS];

    Sending(Socket socket, float[] source) throws IOException {
      this.socket = socket;
      this.source = source;
      OutputStream bare = socket.getOutputStream();
      out = bufferBytes == 0 ? bare : new BufferedOutputStream(bare, bufferBytes);
      writer = form.writer(out);
      out.flush();
    }

    @Override
    public void send(int count) throws IOException {
      write(count, 1);
      takeAcks(1);
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) throws IOException {
      // Half a window at a time, as the contenders with buffers of their own do.
      int batch = Math.max(1, window / 2);
      long sent = 0;
      long acknowledged = 0;
      while (more.getAsBoolean()) {
        while (sent + batch - acknowledged > window) {
          acknowledged += takeAcks(sent - acknowledged);
        }
        write(count, batch);
        sent += batch;
      }
      while (acknowledged < sent) {
        acknowledged += takeAcks(sent - acknowledged);
      }
      return sent;
    }

    private void write(int count, int arrays) throws IOException {
      for (int i = 0; i < arrays; i++) {
        writer.write(source, count);
      }
      out.flush();
    }

    private int takeAcks(long most) throws IOException {
      int taken = socket.getInputStream().read(acks, 0, (int) Math.min(most, acks.length));
      if (taken < 0) {
        throw new EOFException("the other end closed the connection");
      }
      return taken;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
