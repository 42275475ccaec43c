package io.arraywire.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between two peers of TLS and cuts what they say of their handshake in clear into records
 * of one byte. It counts the records of each direction. With TLS 1.2 that is all but the last
 * message of each. For one connection.
 */
final class RecordCutter implements AutoCloseable {
  private static final int HEADER_BYTES = 5;
  private static final int CHANGE_CIPHER_SPEC = 20;
  private static final int HANDSHAKE = 22;

  private final RawPeer.Server server;
  private final SocketAddress target;
  private final AtomicInteger there = new AtomicInteger();
  private final AtomicInteger back = new AtomicInteger();

  private RecordCutter(RawPeer.Server server, SocketAddress target) {
    this.server = server;
    this.target = target;
  }

  /** Begins to listen for a connection, which it carries to a target. */
  static RecordCutter between(SocketAddress address, SocketAddress target) throws IOException {
    RecordCutter cutter = new RecordCutter(RawPeer.Server.listen(address, null), target);
    Running<Void> unused = Running.start(cutter::run);
    return cutter;
  }

  SocketAddress address() throws IOException {
    return server.address();
  }

  /** How many records went to the target. */
  int there() {
    return there.get();
  }

  /** How many records came from the target. */
  int back() {
    return back.get();
  }

  private Void run() throws Exception {
    try (RawPeer client = server.accept();
        RawPeer listener = RawPeer.connect(target)) {
      Running<Void> way = Running.start(() -> carry(client, listener, there));
      Running<Void> wayBack = Running.start(() -> carry(listener, client, back));
      way.get();
      wayBack.get();
    }
    return null;
  }

  private static Void carry(RawPeer from, RawPeer to, AtomicInteger records) throws IOException {
    DataInputStream in = new DataInputStream(from.in());
    byte[] header = new byte[HEADER_BYTES];
    boolean inClear = true;
    try {
      while (true) {
        in.readFully(header);
        byte[] body = new byte[((header[3] & 0xff) << 8) | (header[4] & 0xff)];
        in.readFully(body);
        inClear &= header[0] != CHANGE_CIPHER_SPEC;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int most = inClear && header[0] == HANDSHAKE ? 1 : Math.max(1, body.length);
        int at = 0;
        do {
          byte[] piece = Arrays.copyOfRange(body, at, Math.min(body.length, at + most));
          out.write(header, 0, 3);
          out.write(piece.length >> 8);
          out.write(piece.length);
          out.writeBytes(piece);
          records.incrementAndGet();
          at += most;
        } while (at < body.length);
        to.send(out.toByteArray());
      }
    } catch (EOFException end) {
      to.shutdownOutput();
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
