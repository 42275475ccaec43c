package io.arraywire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** See {@link ArrayFlows#subscriber}. Numbers of rules are those of Reactive Streams 1.0.4. */
final class SendingSubscriber implements ArraySubscriber {
  private final ArrayOutput target;
  private final SendOptions options;
  private final int window;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Null before there is one, and once it is over and must not be called any more. */
  @GuardedBy("lock")
  private Flow.@Nullable Subscription subscription;

  @GuardedBy("lock")
  private boolean subscribed;

  /** Whether nothing more is sent, and why if not because the publisher has completed. */
  @GuardedBy("lock")
  private boolean over;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  @GuardedBy("lock")
  private int sending;

  /** What the subscription is to be told, and whether somebody is about to. */
  @GuardedBy("lock")
  private long owed;

  @GuardedBy("lock")
  private boolean cancels;

  @GuardedBy("lock")
  private boolean telling;

  SendingSubscriber(ArrayOutput target, SendOptions options, int window) {
    this.target = target;
    this.options = options;
    this.window = window;
  }

  @Override
  public CompletionStage<Void> done() {
    return done.minimalCompletionStage();
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    boolean first;
    lock.lock();
    try {
      first = !subscribed;
      if (first) {
        subscribed = true;
        subscription = given;
        owed = window;
      }
    } finally {
      lock.unlock();
    }
    if (first) {
      tell();
    } else {
      given.cancel(); // Rule 2.5.
    }
  }

  @Override
  public void onNext(ArraySlice slice) {
    Objects.requireNonNull(slice, "slice");
    lock.lock();
    try {
      if (over) {
        return;
      }
      sending++;
    } finally {
      lock.unlock();
    }
    CompletionStage<Receipt> sent;
    try {
      sent = target.sendAsync(slice, options);
    } catch (RuntimeException | Error e) {
      sent = CompletableFuture.failedFuture(e);
    }
    var unused = sent.whenComplete((receipt, thrown) -> sent(thrown));
  }

  private void sent(@Nullable Throwable thrown) {
    lock.lock();
    try {
      sending--;
      if (thrown == null) {
        owed++;
      } else if (failure == null) {
        over = true;
        failure = cause(thrown);
        cancels = true;
      }
    } finally {
      lock.unlock();
    }
    tell();
    finishIfOver();
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  /**
   * Calls the subscription, one call after the other (rule 2.7), and never from within such a call.
   * A publisher may call {@code onNext} from there, and its send may be done at once.
   */
  private void tell() {
    boolean first = true;
    while (true) {
      Flow.Subscription present;
      long wanted;
      lock.lock();
      try {
        if (first && telling) {
          return;
        }
        first = false;
        present = subscription;
        wanted = owed;
        telling = present != null && (cancels || (wanted > 0 && !over));
        if (present == null || !telling) {
          return;
        }
        owed = 0;
        if (cancels) {
          subscription = null;
          wanted = 0;
        }
      } finally {
        lock.unlock();
      }
      if (wanted > 0) {
        present.request(wanted);
      } else {
        present.cancel();
      }
    }
  }

  @Override
  public void onError(Throwable thrown) {
    Objects.requireNonNull(thrown, "throwable");
    publisherEnded(thrown);
  }

  @Override
  public void onComplete() {
    publisherEnded(null);
  }

  private void publisherEnded(@Nullable Throwable thrown) {
    lock.lock();
    try {
      subscription = null; // Rules 2.3 and 2.4.
      subscribed = true;
      if (!over) {
        over = true;
        failure = thrown;
      }
    } finally {
      lock.unlock();
    }
    finishIfOver();
  }

  private void finishIfOver() {
    Throwable thrown;
    lock.lock();
    try {
      if (!over || sending > 0) {
        return;
      }
      thrown = failure;
    } finally {
      lock.unlock();
    }
    if (thrown == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(thrown);
    }
  }
}
