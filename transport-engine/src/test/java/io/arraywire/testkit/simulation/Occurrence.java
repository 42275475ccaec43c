package io.arraywire.testkit.simulation;

import java.util.List;
import java.util.Locale;

/** What seeds are there to meet. Each of these happens within 10,000 seeds, or the test fails. */
enum Occurrence {
  // What lies between connections and network.
  ARRAY_IN_CLEAR,
  ARRAY_OVER_TLS_1_2,
  ARRAY_OVER_TLS_1_3,
  TLS_TASK,
  TLS_TICKET,
  TLS_NEW_KEYS,
  TLS_BIT_FLIPPED,
  TLS_RECORD_REFUSED,
  TLS_CUT_SHORT,

  // Admission.
  LET_IN_BY_NAME,
  STRANGER_REFUSED,
  CLIENT_REFUSED,
  VERDICT_LATE,
  CLIENT_RENAMED,
  SUBSCRIPTION_NOT_PERMITTED,

  // Limits.
  CONNECTION_TOO_MANY,
  HANDSHAKE_TOO_MANY,
  SESSION_TOO_MANY,

  // Sessions.
  SESSION_RESUMED,
  SESSION_RESUMED_BY_NAME,
  SESSION_RESUMED_OVER_TLS,
  SESSION_RESUMED_WITHIN_LIMITS,
  SESSION_REFUSED_TO_ANOTHER,

  // The network.
  CUT,
  HALF_OPEN,
  SILENCE,
  PARTITION,
  CONNECT_WHILE_PARTED,
  NOBODY_LISTENS,
  SLOW_READER,

  // Users.
  SENT_ASYNC,
  SENT_BLOCKING,
  OFFERED,
  OFFER_REFUSED,
  REQUESTED,
  REQUEST_ANSWERED,
  REQUEST_CANCELLED,
  MESSAGE_OF_PARTS,
  RECEIVED_INTO,
  RECEIVED_LEASED,
  HANDLER_NAMED_TARGET,
  HANDLER_SLOW,
  HANDLER_THREW,
  HANDLER_CLOSED,
  INTERRUPTED,
  CLOSED,
  CLOSED_NOW,
  SUBSCRIBED_TO_BLOCK,
  SUBSCRIBED_TO_DROP_OLDEST,
  SUBSCRIBED_TO_DROP_NEWEST,
  SUBSCRIBED_TO_DISCONNECT,
  PUBLICATION_RECEIVED,
  PUBLICATION_DROPPED;

  /** What it is that arrays come over. */
  static final List<Occurrence> ARRIVALS =
      List.of(ARRAY_IN_CLEAR, ARRAY_OVER_TLS_1_2, ARRAY_OVER_TLS_1_3);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
