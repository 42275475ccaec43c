package io.arraywire;

/** What became of an array that was offered. */
public enum OfferStatus {
  /** A copy was taken and will be sent; the array is the caller's again. */
  ACCEPTED,
  /** Too much waits to be sent already; nothing was taken. Try again later, or drop it. */
  BACK_PRESSURED,
  /** The connection is closed or has failed; nothing was taken, and nothing ever will be. */
  CLOSED
}
