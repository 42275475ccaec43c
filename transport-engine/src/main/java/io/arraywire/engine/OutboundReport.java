package io.arraywire.engine;

import io.arraywire.ConnectionLoad;

/**
 * What the outgoing half of a connection waits for, and how it is described. Under the connection's
 * lock.
 */
final class OutboundReport {
  private OutboundReport() {}

  /** What the end of the connection has waited for in vain. */
  static String missing(Outbound outbound) {
    if (outbound.queue.queuedArrays() > 0 || outbound.isStuck()) {
      return "the peer did not read everything in time; what it had not read may be lost";
    }
    if (outbound.acknowledgements.isMissingSome()) {
      return Failures.NOT_ACKNOWLEDGED;
    }
    if (outbound.openRequests > 0) {
      return "not every request was answered in time; nothing else is missing";
    }
    return "the peer did not say goodbye in time; what it had not read may be lost";
  }

  /** What the oldest array of a channel waits for. */
  static SendStall stall(Outbound outbound, OutboundChannel channel) {
    if (channel.queue.isEmpty()) {
      return channel.waiting.isEmpty() ? SendStall.PROCESSING : SendStall.MEMORY;
    }
    if (!outbound.credit.mayContinue(channel, outbound.arrays().chunkBytes())) {
      return outbound.credit.stall(channel);
    }
    return outbound.isStuck() ? SendStall.CHANNEL : SendStall.TURN;
  }

  /** Whether somebody waits for the peer to have processed an array, sent or not. */
  static boolean awaitsAcknowledgement(Outbound outbound) {
    return outbound.acknowledgements.isMissingSome()
        || outbound.queue.channels().stream()
            .anyMatch(
                channel -> channel.queue.stream().anyMatch(OutboundArray::isToBeAcknowledged));
  }

  static ConnectionLoad load(Outbound outbound) {
    return new ConnectionLoad(
        outbound.queue.queuedArrays() + outbound.queue.waitingArrays(),
        outbound.queue.channels().stream().mapToLong(channel -> channel.queuedBytes).sum(),
        outbound.acknowledgements.missing(),
        0,
        0,
        outbound.openRequests);
  }

  static String describe(Outbound outbound) {
    StringBuilder all =
        new StringBuilder("arraysSent=")
            .append(outbound.arraysSent())
            .append(", bytesSent=")
            .append(outbound.bytesSent())
            .append(", queuedArrays=")
            .append(outbound.queue.queuedArrays())
            .append(", unacknowledgedArrays=")
            .append(outbound.acknowledgements.missing());
    BlockChoice choice = outbound.choice();
    if (choice != null) {
      all.append(", compression ").append(choice.describe());
    }
    for (OutboundChannel channel : outbound.queue.channels()) {
      if (channel.queuedBytes > 0) {
        all.append(", queuedBytes[").append(ChannelId.words(channel.id)).append("]=");
        all.append(channel.queuedBytes);
      }
      outbound.credit.describe(channel, all);
      if (!channel.waiting.isEmpty()) {
        all.append(", the queue is full: waitingSends[");
        all.append(ChannelId.words(channel.id)).append("]=");
        all.append(channel.waiting.size());
      }
      if (!channel.queue.isEmpty()
          && !outbound.credit.mayContinue(channel, outbound.arrays().chunkBytes())) {
        all.append(", ").append(ChannelId.words(channel.id)).append(" waits for credit");
      }
    }
    return all.toString();
  }
}
