package io.arraywire;

import io.arraywire.source.ArraySource;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * Makes connections and channels the ends of reactive streams, as a {@link Flow.Publisher} or a
 * {@link Flow.Subscriber} of the JDK. Any reactive library can be the rest of the stream.
 *
 * <p>Both follow the rules of <a
 * href="https://github.com/reactive-streams/reactive-streams-jvm/blob/v1.0.4/README.md">Reactive
 * Streams 1.0.4</a>; its test suite runs over them. <b>Back-pressure</b> goes through: if the
 * subscriber at the far side requests nothing, nothing is received there. The sender here runs out
 * of credit, its sends do not complete, and the subscriber here requests nothing more.
 *
 * <p><b>Threads.</b> Any thread may call any method of the objects that are made here.
 */
public final class ArrayFlows {
  private ArrayFlows() {}

  /**
   * The arrays that a connection or channel receives.
   *
   * <p><b>Demand.</b> An array is received only when the subscriber has requested one. Until then
   * arrays wait here, up to {@link TransportOptions#inboxBytes()}; beyond that, their sender waits.
   * It is acknowledged to its sender when it is received, before {@code onNext} sees it. Others may
   * receive from the same source; each array goes to one of them.
   *
   * <p><b>Threads.</b> While there is demand, a task of the executor waits in {@link
   * ArrayInput#receive()} and calls the subscriber; without demand there is no task. An executor
   * with a virtual thread per task fits well. One that runs a task in the calling thread does not:
   * {@code request} would wait.
   *
   * <p><b>Ownership.</b> Each array is fresh and belongs to the subscriber.
   *
   * <p><b>The end.</b> {@code onComplete} is called when the peer or this side has closed the
   * connection in an orderly way, and all arrays that had come are received. Otherwise {@code
   * onError} is called with the {@link ArraywireException} that ended the connection. Only a
   * receive call notices the end, and so only while there is demand. {@code onError} also comes
   * with an {@link IllegalStateException} if the source's arrays go to a handler. It comes with an
   * {@link ArraywireException} of code {@link ErrorCode#INTERNAL} if the executor refuses the task,
   * and with an {@link InterruptedException} if somebody interrupts it.
   *
   * <p><b>Cancelling</b> closes nothing. It interrupts the waiting task, so an array that has not
   * been received stays for the next receiver. One that is received in that moment still goes to
   * {@code onNext}. A subscriber that throws is cancelled, and its exception goes to the executor.
   *
   * @param source where the arrays come from
   * @param executor runs the tasks that wait for arrays
   * @return a publisher for one subscriber: every further one gets {@code onError} with an {@link
   *     IllegalStateException}. To go on after cancelling, make another publisher
   */
  public static Flow.Publisher<ReceivedArray> publisher(ArrayInput source, Executor executor) {
    return new ReceivingPublisher(
        Objects.requireNonNull(source, "source"), Objects.requireNonNull(executor, "executor"));
  }

  /**
   * Sends what a publisher publishes.
   *
   * <p><b>Demand.</b> The subscriber requests {@code window} slices at first, and one more for each
   * send that is done, as the {@linkplain SendOptions#delivery() delivery} defines it. The arrays
   * of a window, and what others send on the same channel, must fit into {@link
   * TransportOptions#sendQueueBytes()} together, so that {@link ArrayOutput#sendAsync(ArraySource,
   * SendOptions)} finds room for them. With a window of 1, on a channel of its own, any array fits.
   *
   * <p><b>Ownership.</b> A slice's array belongs to Arraywire from {@code onNext} until {@link
   * ArraySubscriber#done()} completes; give each element an array of its own.
   *
   * <p><b>Threads.</b> {@code onNext} does not wait. When a send is done, the handler executor of
   * the connection calls {@code request} or {@code cancel} of the subscription.
   *
   * <p><b>Errors.</b> A send that fails cancels the subscription. Slices that are published after
   * it are dropped, and {@code done} fails with the send's exception. The target is not closed,
   * however the stream ends.
   *
   * @param target where the slices are sent to
   * @param options tag, shape, metadata and delivery of every array
   * @param window how many slices to have at a time, at least 1
   * @return a subscriber, for one subscription
   * @throws IllegalArgumentException if the window is less than 1, or the options have a timeout
   */
  public static ArraySubscriber subscriber(ArrayOutput target, SendOptions options, int window) {
    if (window < 1) {
      throw new IllegalArgumentException("the window must be at least 1 (window=" + window + ")");
    }
    if (Objects.requireNonNull(options, "options").timeout() != null) {
      throw new IllegalArgumentException(
          "a subscriber never waits, so options for it have no timeout; leave it out (timeout="
              + options.timeout()
              + ")");
    }
    return new SendingSubscriber(Objects.requireNonNull(target, "target"), options, window);
  }
}
