package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.DeliveryUnknownException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of a session that were refused here: their sender may not have heard of it when its
 * connection broke, and sends them again. Only so many are remembered, on all channels together, so
 * that a peer whose arrays are all refused does not fill the heap.
 *
 * <p>Any thread. Its lock is taken last: nothing is called with it.
 */
final class SessionRefusals {
  private static final int MOST = 1024;

  /** An array of the session. */
  private record Refused(int channel, long sequence) {}

  private final Object lock = new Object();

  /** In the order in which they were refused. */
  @GuardedBy("lock")
  private final Map<Refused, ArraywireException> known = new LinkedHashMap<>(1);

  /** The last refusal of each channel that is no longer known. */
  @GuardedBy("lock")
  private final Map<Integer, Long> forgotten = new HashMap<>(1);

  void add(int channel, long sequence, ArraywireException refusal) {
    synchronized (lock) {
      known.put(new Refused(channel, sequence), refusal);
      if (known.size() > MOST) {
        Iterator<Refused> all = known.keySet().iterator();
        Refused oldest = all.next();
        forgotten.merge(oldest.channel, oldest.sequence, Math::max);
        all.remove();
      }
    }
  }

  /** Why an array was refused; null if it was not. */
  @Nullable ArraywireException of(int channel, long sequence) {
    synchronized (lock) {
      ArraywireException refusal = known.get(new Refused(channel, sequence));
      if (refusal == null && sequence <= forgotten.getOrDefault(channel, 0L)) {
        return new DeliveryUnknownException(
            "more arrays were refused after this one than are remembered",
            "sequence",
            sequence,
            "limit",
            MOST);
      }
      return refusal;
    }
  }
}
