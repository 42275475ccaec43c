package io.arraywire.testkit.simulation;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine that behaves as one of the JDK does and hides nothing: records with a checksum over
 * their number, a handshake with tasks, tickets, new keys in mid-stream, the alert that ends a
 * direction. It is stricter: a call at the wrong moment fails the simulation.
 */
final class SimulatedTlsEngine extends SSLEngine {
  private static final String SUITE = "TLS_AES_128_GCM_SHA256";
  private static final int HEADER_BYTES = 5;
  private static final int OVERHEAD_BYTES = HEADER_BYTES + 1 + Long.BYTES;
  private static final int LARGEST_MESSAGE = 600;

  // Of a record, inside.
  private static final byte ALERT = 21;
  private static final byte HANDSHAKE = 22;
  private static final byte DATA = 23;
  private static final byte TICKET = 24;
  private static final byte KEYS = 25;
  private static final byte KEYS_AT_BOTH = 26;

  // Of an alert.
  private static final byte END = 1;
  private static final byte FATAL = 2;

  private enum Task {
    NONE,
    DUE,
    TAKEN
  }

  private final SimulatedTls tls;
  private final Choices choices;
  private final Judge judge;
  private final boolean client;

  /** Which end sends each message of the handshake: true for the client. */
  private final boolean[] script;

  private int step;
  private Task task = Task.NONE;

  /** Kinds of records that this side has to send before data. */
  private final Queue<Byte> owed = new ArrayDeque<>();

  private long sent;
  private long opened;
  private int sendKeys;
  private int openKeys;

  private boolean mustSayFatal;
  private boolean mustSayEnd;
  private boolean outboundDone;
  private boolean inboundDone;

  SimulatedTlsEngine(SimulatedTls tls, Choices choices, Judge judge, boolean client) {
    this.tls = tls;
    this.choices = choices;
    this.judge = judge;
    this.client = client;
    script = new boolean[tls.answers + (tls.old ? 3 : 2)];
    script[0] = true;
    script[tls.answers + 1] = true;
  }

  private boolean isEstablished() {
    return step == script.length;
  }

  private IllegalStateException misused(String how) {
    judge.violation("the TLS engine was called at the wrong moment: " + how);
    return new IllegalStateException(how);
  }

  private SSLException broken(String what) {
    judge.met(Occurrence.TLS_RECORD_REFUSED);
    if (!judge.isTamperedWith()) {
      judge.violation("a record was not what the peer had sent: " + what);
    }
    mustSayFatal = true;
    return new SSLException(what);
  }

  // The handshake.

  @Override
  public void beginHandshake() {
    if (step > 0) {
      throw misused("it begins again");
    }
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    if (task != Task.NONE) {
      return HandshakeStatus.NEED_TASK;
    }
    if (!outboundDone && (mustSayFatal || mustSayEnd)) {
      return HandshakeStatus.NEED_WRAP;
    }
    if (outboundDone && !isEstablished()) {
      return HandshakeStatus.NOT_HANDSHAKING;
    }
    if (!isEstablished()) {
      return script[step] == client ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NEED_UNWRAP;
    }
    return owed.isEmpty() || outboundDone
        ? HandshakeStatus.NOT_HANDSHAKING
        : HandshakeStatus.NEED_WRAP;
  }

  @Override
  public @Nullable Runnable getDelegatedTask() {
    if (task != Task.DUE) {
      return null;
    }
    task = Task.TAKEN;
    judge.met(Occurrence.TLS_TASK);
    return () -> task = Task.NONE;
  }

  /** A message of the handshake went or came; returns whether it was the last one. */
  private boolean stepped() {
    step++;
    if (isEstablished()) {
      if (!client && !tls.old) {
        owed.add(TICKET);
      }
      return true;
    }
    return false;
  }

  // Sealing.

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
    if (task != Task.NONE) {
      throw misused("it wraps while a task is due");
    }
    int before = target.position();
    if (outboundDone) {
      return result(Status.CLOSED, 0, 0, false);
    }
    if (mustSayFatal || mustSayEnd) {
      seal(ALERT, new byte[] {mustSayFatal ? FATAL : END}, target);
      outboundDone = true;
      return result(Status.CLOSED, 0, target.position() - before, false);
    }
    if (!isEstablished()) {
      if (script[step] != client) {
        return result(Status.OK, 0, 0, false);
      }
      seal(HANDSHAKE, new byte[choices.upTo(LARGEST_MESSAGE)], target);
      return result(Status.OK, 0, target.position() - before, stepped());
    }
    Byte own = owed.poll();
    if (own != null) {
      seal(own, new byte[choices.upTo(own == TICKET ? LARGEST_MESSAGE : 1)], target);
      sendKeys += own == TICKET ? 0 : 1;
      return result(Status.OK, 0, target.position() - before, false);
    }
    byte[] content = new byte[most(sources, offset, length)];
    if (target.remaining() < content.length + OVERHEAD_BYTES) {
      return result(Status.BUFFER_OVERFLOW, 0, 0, false);
    }
    take(sources, offset, content);
    if (content.length > 0) {
      seal(DATA, content, target);
      if (choices.percent(tls.newKeys)) {
        owed.add(choices.percent(50) ? KEYS : KEYS_AT_BOTH);
      }
    }
    return result(Status.OK, content.length, target.position() - before, false);
  }

  private int most(ByteBuffer[] sources, int offset, int length) {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      all += sources[i].remaining();
    }
    return (int) Math.min(all, tls.fragment);
  }

  private static void take(ByteBuffer[] sources, int offset, byte[] content) {
    int at = 0;
    for (int i = offset; at < content.length; i++) {
      int count = Math.min(sources[i].remaining(), content.length - at);
      sources[i].get(content, at, count);
      at += count;
    }
  }

  private void seal(byte kind, byte[] content, ByteBuffer target) {
    int length = 1 + content.length + Long.BYTES;
    byte outside = kind;
    if (isEstablished() && (kind > DATA || !tls.old)) {
      outside = DATA;
    }
    long check = check(outside, length, kind, content, sent++, sendKeys, client);
    target.put(outside).put((byte) 3).put((byte) 3).putShort((short) length);
    target.put(kind).put(content).putLong(check);
  }

  /** Differs for each bit, each record, each side and each key. */
  private static long check(
      byte outside,
      int length,
      byte kind,
      byte[] content,
      long number,
      int keys,
      boolean ofClient) {
    long hash = Choices.mixed(number * 2 + (ofClient ? 1 : 0)) + keys;
    hash = Choices.mixed(hash ^ ((long) outside << 40 | (long) length << 8 | kind));
    for (byte each : content) {
      hash = (hash ^ each) * 0x100000001b3L;
    }
    return Choices.mixed(hash);
  }

  // Opening.

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
      throws SSLException {
    if (task != Task.NONE) {
      throw misused("it unwraps while a task is due");
    }
    if (inboundDone) {
      return result(Status.CLOSED, 0, 0, false);
    }
    if (!isEstablished() && script[step] == client) {
      throw misused("it unwraps where it has to wrap");
    }
    if (source.remaining() < HEADER_BYTES) {
      throw misused("a record's header in part");
    }
    int begin = source.position();
    int bytes = source.getShort(begin + 3) & 0xffff;
    if (source.remaining() < HEADER_BYTES + bytes) {
      throw misused("a record in part");
    }
    if (bytes < OVERHEAD_BYTES - HEADER_BYTES) {
      source.position(begin + HEADER_BYTES + bytes);
      throw broken("too short");
    }
    byte outside = source.get(begin);
    byte kind = source.get(begin + HEADER_BYTES);
    byte[] content = new byte[bytes - 1 - Long.BYTES];
    source.get(begin + HEADER_BYTES + 1, content);
    int room = 0;
    for (int i = offset; i < offset + length; i++) {
      room += targets[i].remaining();
    }
    if (kind == DATA && room < content.length) {
      return result(Status.BUFFER_OVERFLOW, 0, 0, false);
    }
    source.position(begin + HEADER_BYTES + bytes);
    boolean versioned = source.get(begin + 1) == 3 && source.get(begin + 2) == 3;
    long check = source.getLong(source.position() - Long.BYTES);
    if (!versioned || check != check(outside, bytes, kind, content, opened, openKeys, !client)) {
      throw broken("bad_record_mac");
    }
    opened++;
    return opened(kind, content, source.position() - begin, targets, offset);
  }

  private SSLEngineResult opened(
      byte kind, byte[] content, int consumed, ByteBuffer[] targets, int offset)
      throws SSLException {
    switch (kind) {
      case ALERT -> {
        inboundDone = true;
        if (content[0] == FATAL) {
          outboundDone = true;
          throw new SSLException("Received fatal alert: bad_record_mac");
        }
        mustSayEnd |= tls.old;
        return result(Status.CLOSED, consumed, 0, false);
      }
      case HANDSHAKE -> {
        if (isEstablished()) {
          throw broken("unexpected_message");
        }
        boolean last = stepped();
        if (!last && script[step] == client && choices.percent(tls.tasks)) {
          task = Task.DUE;
        }
        return result(Status.OK, consumed, 0, last);
      }
      case DATA -> {
        if (!isEstablished()) {
          throw broken("unexpected_message");
        }
        int at = 0;
        for (int i = offset; at < content.length; i++) {
          int count = Math.min(targets[i].remaining(), content.length - at);
          targets[i].put(content, at, count);
          at += count;
        }
        return result(Status.OK, consumed, content.length, false);
      }
      case KEYS, KEYS_AT_BOTH -> {
        openKeys++;
        judge.met(Occurrence.TLS_NEW_KEYS);
        if (kind == KEYS_AT_BOTH) {
          owed.add(KEYS);
        }
        return result(Status.OK, consumed, 0, false);
      }
      case TICKET -> {
        judge.met(Occurrence.TLS_TICKET);
        return result(Status.OK, consumed, 0, false);
      }
      default -> throw broken("unexpected_message");
    }
  }

  private SSLEngineResult result(Status status, int consumed, int produced, boolean finished) {
    return new SSLEngineResult(
        status, finished ? HandshakeStatus.FINISHED : getHandshakeStatus(), consumed, produced);
  }

  // The end.

  @Override
  public void closeInbound() throws SSLException {
    if (!inboundDone) {
      inboundDone = true;
      throw new SSLException("closing inbound before receiving peer's close_notify");
    }
  }

  @Override
  public boolean isInboundDone() {
    return inboundDone;
  }

  @Override
  public void closeOutbound() {
    mustSayEnd = true;
  }

  @Override
  public boolean isOutboundDone() {
    return outboundDone;
  }

  // What it is.

  @Override
  public SSLSession getSession() {
    return (SSLSession)
        Proxy.newProxyInstance(
            SSLSession.class.getClassLoader(),
            new Class<?>[] {SSLSession.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getProtocol" -> getEnabledProtocols()[0];
                  case "getCipherSuite" -> SUITE;
                  case "getLocalCertificates" -> null;
                  case "getPeerPrincipal", "getPeerCertificates" ->
                      throw new SSLPeerUnverifiedException("nobody shows a certificate here");
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return getEnabledCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return new String[] {SUITE};
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {}

  @Override
  public String[] getSupportedProtocols() {
    return getEnabledProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return new String[] {tls.old ? "TLSv1.2" : "TLSv1.3"};
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {}

  @Override
  public void setUseClientMode(boolean mode) {
    if (mode != client) {
      throw misused("the other side's engine");
    }
  }

  @Override
  public boolean getUseClientMode() {
    return client;
  }

  @Override
  public void setNeedClientAuth(boolean need) {}

  @Override
  public boolean getNeedClientAuth() {
    return false;
  }

  @Override
  public void setWantClientAuth(boolean want) {}

  @Override
  public boolean getWantClientAuth() {
    return false;
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {}

  @Override
  public boolean getEnableSessionCreation() {
    return true;
  }
}
