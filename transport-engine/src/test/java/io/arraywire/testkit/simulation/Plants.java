package io.arraywire.testkit.simulation;

import java.util.List;

/** Bugs of the kinds that were found in the engine, each in one place of it. */
final class Plants {
  private Plants() {}

  /** One seed in a thousand or so finds it: something else wakes the writer nearly always. */
  static final Plant RARE =
      new Plant(
          "a wake-up is lost: credit comes, and nobody tells the writer",
          "PeerControl",
          "    if (changed) {\n      connection.wakeWriter();\n    }",
          "",
          8061);

  static final List<Plant> ALL =
      List.of(
          new Plant(
              "a wake-up is lost: an array is to be acknowledged, and nobody tells the writer",
              "ConnectionCore",
              "    wakeWriter(comesAgain);\n",
              "",
              5),
          new Plant(
              "an array is acknowledged before its handler has returned",
              "HandlerRunner",
              "      calls.onArray(scope.userConnection(), given);",
              "      scope.lock().lock();\n      queue.handled(array, true);\n      scope.lock().unlock();\n      calls.onArray(scope.userConnection(), given);",
              4),
          new Plant(
              "an array is handed out again when its session is resumed",
              "HandlerRunner",
              "        guard.handsOut(sequence);\n        ArraywireException refusal",
              "        ArraywireException refusal",
              97),
          new Plant(
              "credit for arrays that waited for their handler is not given back",
              "HandlerRunner",
              "        } else if (array != null) {\n          queue.want(array);",
              "        } else if (array != null) {",
              1407),
          new Plant(
              "two arrays share the place that they arrive in",
              "InboxPool",
              "InboundArray array = arrays.poll();",
              "InboundArray array = arrays.peek();",
              5),
          new Plant(
              "a send never completes whose acknowledgement overtakes the note that it was written",
              "Outbound",
              "        if (!array.isToBeAcknowledged() || array.acknowledged) {",
              "        if (!array.isToBeAcknowledged()) {",
              74),
          new Plant(
              "a subscriber is told too early that it will miss nothing",
              "SubscriptionsTaken",
              "      } else if (all != null && !all.add(subscriber)) {",
              "      } else if (all != null && context.deadlines().after(java.time.Duration.ofMillis(1), () -> all.add(subscriber)) == null) {",
              1707),
          new Plant(
              "an array overtakes one that waits for room in the queue",
              "SendQueue",
              "    boolean room = channel.waiting.isEmpty() && hasRoomInChannel(channel, bytes);",
              "    boolean room = hasRoomInChannel(channel, bytes);",
              1800),
          new Plant(
              "the budget for queued arrays is not given back when a connection fails",
              "SendQueue",
              "    if (share != null) {\n      share.end();",
              "    if (share != null && queuedArrays < 0) {\n      share.end();",
              1),
          new Plant(
              "a session forgets to send again what had begun to leave",
              "RetainedSends",
              "      for (SessionSend send : List.copyOf(retained)) {\n        submit(send, connection);",
              "      for (SessionSend send : List.copyOf(retained)) {\n        if (!send.begun.isDone()) submit(send, connection);",
              7),
          new Plant(
              "an interrupted receiver stays in line and swallows an array",
              "ReceiveQueue",
              "    line().remove(receive);\n    if (current",
              "    if (current",
              10),
          new Plant(
              "the copy of an array that is withdrawn is not given back",
              "Outbound",
              "    if (progress == OutboundArray.Progress.NOT_BEGUN) {\n      array.releaseCopy();\n    }",
              "",
              8),
          new Plant(
              "the place of a peer that has gone is not given to others",
              "ConnectionCore",
              "      context.admission().ended(remoteAddress());\n",
              "",
              1),
          new Plant(
              "a TLS record that had come in part is not given back",
              "tls/TlsInput",
              "    records.release();\n",
              "",
              4),
          new Plant(
              "a session goes on for another peer than the one that has opened it",
              "SessionIdentity",
              "    if (!Objects.equals(owner, name)) {",
              "    if (owner == null != (name == null)) {",
              544),
          new Plant(
              "a peer may subscribe to what its identity does not permit",
              "Permissions",
              "    return identity == null || identity.maySubscribe(subject)",
              "    return identity == null || !subject.isEmpty()",
              36),
          new Plant(
              "the zeros behind the last block of a part of a message do not count",
              "InboundParts",
              "            ? (int) (cursor.partEnd() - cursor.elementsEnd())",
              "            ? 0",
              35));
}
