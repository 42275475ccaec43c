package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a peer that a test plays says in its hello or welcome: all element types, little-endian, no
 * checksums.
 *
 * @param encodings names by code
 * @param channels the most channels that it takes
 * @param channelCredit bytes that may be sent on each
 * @param connectionCredit bytes that may be sent on all of them
 * @param heartbeatMillis the longest silence that it promises, or 0
 * @param subscriptions the most that it takes
 */
record RawOffer(
    Map<Integer, String> encodings,
    int channels,
    long channelCredit,
    long connectionCredit,
    long heartbeatMillis,
    int subscriptions) {
  /** Credit that no test uses up. */
  private static final long PLENTY = 1L << 60;

  /** Everything that has plain elements. */
  static RawOffer plain() {
    return of(
        Map.of(
            Encoding.RAW_LITTLE_ENDIAN.code(), Encoding.RAW_LITTLE_ENDIAN.name(),
            Encoding.RAW_BIG_ENDIAN.code(), Encoding.RAW_BIG_ENDIAN.name()));
  }

  static RawOffer of(Map<Integer, String> encodings) {
    return new RawOffer(encodings, 1, PLENTY, PLENTY, 0, 0);
  }

  /** The same with many channels and subscriptions. */
  static RawOffer manyChannels() {
    return plain().with(256, PLENTY, PLENTY, 0, 64);
  }

  /** The same of a peer that says something else of credit, channels and heartbeats. */
  RawOffer with(int most, long eachCredit, long allCredit, long millis, int mostSubscriptions) {
    return new RawOffer(encodings, most, eachCredit, allCredit, millis, mostSubscriptions);
  }

  /** The handshake message of the side that connects; see {@code handshake.proto}. */
  byte[] hello() {
    return new RawFields().message(1, fields(0)).toBytes();
  }

  /** The same of one that wants a new session and keeps it for long. */
  byte[] helloOfSession() {
    byte[] all = new RawFields().raw(fields(0)).number(15, Integer.MAX_VALUE).toBytes();
    return new RawFields().message(1, all).toBytes();
  }

  /** The same of one that goes on with a session, with a token that was never given. */
  byte[] helloThatResumes(byte[] session) {
    byte[] all =
        new RawFields()
            .raw(fields(0))
            .number(15, Integer.MAX_VALUE)
            .message(16, session)
            .message(17, new byte[16])
            .toBytes();
    return new RawFields().message(1, all).toBytes();
  }

  /** That of the side that listens. */
  byte[] welcome(int version) {
    return new RawFields().message(2, fields(version)).toBytes();
  }

  private byte[] fields(int version) {
    RawFields fields = new RawFields();
    new TreeMap<>(encodings)
        .forEach((code, name) ->
            fields.message(1, new RawFields().number(1, code).text(2, name).toBytes()));
    long[] types = Arrays.stream(ElementType.values()).mapToLong(ElementType::code).toArray();
    return fields
        .numbers(2, types)
        .number(3, 1)
        .number(4, 1 << 30)
        .number(5, 1 << 20)
        .text(8, "raw peer")
        .number(10, version)
        .number(11, channels)
        .number(12, channelCredit)
        .number(13, connectionCredit)
        .number(14, heartbeatMillis)
        .number(21, subscriptions)
        .toBytes();
  }
}
