package io.arraywire;

/** What has happened to an array when its send is reported done. */
public enum Delivery {
  /**
   * The kernel of this host took every byte. Whether the far side read them is not known: a peer
   * that dies or closes may never have seen the array.
   */
  HANDED_OFF,
  /**
   * The far side checked the array, and its handler returned, or its receive call has it. A handler
   * that throws fails the send with {@link RemoteRejectedException}.
   */
  PROCESSED
}
