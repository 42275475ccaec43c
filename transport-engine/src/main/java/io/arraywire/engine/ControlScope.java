package io.arraywire.engine;

import io.arraywire.Agreement;
import org.jspecify.annotations.Nullable;

/** What the peer's control frames ask of their connection. Any thread. */
interface ControlScope extends PeerScope {
  /** The sending half, which most of them are about. */
  Outbound outbound();

  /** Requests and subscriptions of both sides. */
  Exchanges exchanges();

  /** What was agreed on; null while that is not known. */
  @Nullable Agreement agreed();

  /** Something of an array moved, or the peer said something of one. Under the lock. */
  void arrayMoved();
}
