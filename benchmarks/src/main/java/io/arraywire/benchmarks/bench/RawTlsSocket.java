package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * One end of a connection that sleeps in the kernel, over TLS. An engine of JSSE makes and opens
 * the records in heap memory, which it does faster than in direct buffers. As many records go to a
 * system call as {@link #RECORDS} says. The first write or read makes the handshake.
 */
final class RawTlsSocket extends RawSocket {
  /** As many as Arraywire puts into one. */
  static final int RECORDS = 15;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final int recordBytes;
  private final ByteBuffer out;

  /** Encrypted bytes that have come. */
  private final ByteBuffer in;

  /** Opened bytes for which there was no room. */
  private final ByteBuffer opened;

  private boolean begun;

  private RawTlsSocket(SocketChannel channel, SSLEngine engine) throws IOException {
    super(channel, false);
    this.engine = engine;
    recordBytes = engine.getSession().getPacketBufferSize();
    out = ByteBuffer.allocate(RECORDS * recordBytes);
    in = ByteBuffer.allocate(RECORDS * recordBytes).limit(0);
    opened = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
  }

  static RawTlsSocket accept(ServerSocketChannel server) throws IOException {
    return new RawTlsSocket(server.accept(), BenchTls.engine(false));
  }

  static RawTlsSocket connect(Loopback where, int number) throws IOException {
    return new RawTlsSocket(SocketChannel.open(where.numbered(number)), BenchTls.engine(true));
  }

  @Override
  void write(ByteBuffer bytes) throws IOException {
    shakeHands();
    while (bytes.hasRemaining()) {
      out.clear();
      while (bytes.hasRemaining() && out.remaining() >= recordBytes) {
        wrap(bytes);
      }
      super.write(out.flip());
    }
  }

  @Override
  int readSome(ByteBuffer bytes) throws IOException {
    shakeHands();
    int before = bytes.position();
    takeOpened(bytes);
    while (true) {
      boolean whole = true;
      while (whole && bytes.hasRemaining()) {
        whole = unwrap(bytes);
      }
      if (bytes.position() > before) {
        return bytes.position() - before;
      }
      fill();
    }
  }

  private void takeOpened(ByteBuffer to) {
    int count = Math.min(opened.remaining(), to.remaining());
    int limit = opened.limit();
    to.put(opened.limit(opened.position() + count));
    opened.limit(limit);
  }

  private void wrap(ByteBuffer bytes) throws SSLException {
    SSLEngineResult result = engine.wrap(bytes, out);
    if (result.getStatus() != Status.OK) {
      throw new SSLException("nothing was encrypted: " + result);
    }
  }

  /** Opens one record; returns false if none is there whole. */
  private boolean unwrap(ByteBuffer to) throws IOException {
    SSLEngineResult result;
    if (to.remaining() >= opened.capacity()) {
      result = engine.unwrap(in, to);
    } else {
      result = engine.unwrap(in, opened.clear());
      opened.flip();
      takeOpened(to);
    }
    if (result.getStatus() == Status.CLOSED) {
      throw new EOFException("the other end closed the connection");
    }
    if (begun && result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      // The answer to new keys.
      out.clear();
      wrap(NOTHING);
      super.write(out.flip());
    }
    return result.getStatus() == Status.OK;
  }

  private void fill() throws IOException {
    in.compact();
    int unused = super.readSome(in);
    in.flip();
  }

  private void shakeHands() throws IOException {
    if (begun) {
      return;
    }
    engine.beginHandshake();
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> {
          out.clear();
          wrap(NOTHING);
          super.write(out.flip());
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (!unwrap(NOTHING)) {
            fill();
          }
        }
        default -> {
          begun = true;
          return;
        }
      }
    }
  }
}
