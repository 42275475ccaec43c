package io.arraywire.engine;

/** What an array that makes no progress waits for. */
enum SendStall {
  /** The peer has read and processed too little on this channel to allow more of it. */
  CREDIT(
      "the peer to receive",
      "nobody at the far end has called receive() or accept(), or its handler has not returned;"
          + " to send to yourself, use two threads"),

  /** The same, for all channels together. */
  CONNECTION_CREDIT(
      "the peer to receive on other channels",
      "arrays that nobody at the far end has received fill its connectionInboxBytes"),

  /** The transport has bytes that the channel does not take. */
  CHANNEL("the peer's machine to take bytes", "its process or the network may stand still"),

  /** Connections together hold as much as the memory budget allows. */
  MEMORY("memory", "memoryBudgetBytes is used up by what other connections have queued"),

  /** Something is written, and others have their turn. */
  TURN("its turn", "arrays before it or of other channels are being sent"),

  /** The array is there, and the far side is not done with it. */
  PROCESSING(
      "the far side to process an array",
      "nobody there has called receive() or accept(), or its handler has not returned;"
          + " to send to yourself, use two threads");

  final String awaited;
  final String cause;

  /** Whether the array waits for the transport to write the arrays before it. */
  boolean isOfTransport() {
    return this == CHANNEL || this == TURN;
  }

  SendStall(String awaited, String cause) {
    this.awaited = awaited;
    this.cause = cause;
  }
}
