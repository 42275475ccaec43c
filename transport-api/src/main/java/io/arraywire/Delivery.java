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
   * that throws fails the send with {@link RemoteRejectedException}. If the connection ends before
   * the far side has said so, the send fails with {@link DeliveryUnknownException} where every byte
   * had left. If some had not, it fails with what ended the connection.
   */
  PROCESSED,
  /**
   * As {@link #PROCESSED}, and it outlives a broken connection: the connecting side connects again
   * and the array goes on. Each accepted array reaches the handler exactly once, in order, while
   * both processes live and the outage is shorter than {@linkplain
   * TransportOptions#sessionTimeout() the session timeout}. After a crash each unacknowledged send
   * was delivered zero or one times and fails with {@link DeliveryUnknownException}. A send whose
   * first byte never left was not delivered. It fails with the exception that ended the session,
   * {@link ConnectionLostException} ({@link ErrorCode#RESUME_REJECTED} or {@link
   * ErrorCode#SESSION_EXPIRED}). Nothing is stored on disk. Both sides must have set a session
   * timeout.
   */
  SESSION
}
