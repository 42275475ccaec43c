package io.arraywire.chaos.delivery;

import java.util.Arrays;

/**
 * A row for each send and each delivered array, found by stream and sequence. Columns are
 * primitives in the order of arrival, with an open hash of row numbers over them. Some 40 bytes a
 * row.
 */
final class SendTable {
  private static final int FIRST_ROWS = 1024;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  // The columns.
  private int[] streams = new int[FIRST_ROWS];
  private long[] sequences = new long[FIRST_ROWS];
  private long[] sentHashes = new long[FIRST_ROWS];
  private long[] deliveredHashes = new long[FIRST_ROWS];
  private byte[] flags = new byte[FIRST_ROWS];
  private int rows;

  // Row numbers plus 1; 0 is a free place. Always at least half free.
  private int[] places = new int[FIRST_ROWS * 2];

  int rows() {
    return rows;
  }

  /** The row of a send, a new one if there is none. */
  int row(int stream, long sequence) {
    int place = place(stream, sequence);
    if (places[place] != 0) {
      return places[place] - 1;
    }
    if (rows == streams.length) {
      grow();
      place = place(stream, sequence);
    }
    streams[rows] = stream;
    sequences[rows] = sequence;
    places[place] = ++rows;
    return rows - 1;
  }

  int stream(int row) {
    return streams[row];
  }

  long sequence(int row) {
    return sequences[row];
  }

  boolean has(int row, byte flag) {
    return (flags[row] & flag) != 0;
  }

  void set(int row, byte flag) {
    flags[row] |= flag;
  }

  long sentHash(int row) {
    return sentHashes[row];
  }

  void sentHash(int row, long hash) {
    sentHashes[row] = hash;
  }

  long deliveredHash(int row) {
    return deliveredHashes[row];
  }

  void deliveredHash(int row, long hash) {
    deliveredHashes[row] = hash;
  }

  /** Where the send is, or the free place where it belongs. */
  private int place(int stream, long sequence) {
    long hash = (sequence * GOLDEN ^ stream) * GOLDEN;
    int mask = places.length - 1;
    int place = (int) (hash >>> 32) & mask;
    while (places[place] != 0) {
      int row = places[place] - 1;
      if (sequences[row] == sequence && streams[row] == stream) {
        return place;
      }
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    int capacity = Math.multiplyExact(streams.length, 2);
    streams = Arrays.copyOf(streams, capacity);
    sequences = Arrays.copyOf(sequences, capacity);
    sentHashes = Arrays.copyOf(sentHashes, capacity);
    deliveredHashes = Arrays.copyOf(deliveredHashes, capacity);
    flags = Arrays.copyOf(flags, capacity);
    places = new int[Math.multiplyExact(capacity, 2)];
    for (int row = 0; row < rows; row++) {
      places[place(streams[row], sequences[row])] = row + 1;
    }
  }
}
