package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.ReceivedArray;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is published on a subject that a {@link ArraywireClient} has subscribed to.
 *
 * <p><b>Threads.</b> One call at a time, in the order in which things came. Arrays come on the
 * executor of {@link io.arraywire.TransportOptions#handlerExecutor()}, the other calls also on a
 * thread of the client. A handler may take its time: the {@link io.arraywire.LagPolicy} says what
 * the publisher does meanwhile. <b>Errors.</b> What {@code onArray} throws is logged, and what
 * {@code onGap} throws goes to the thread's {@linkplain Thread#getUncaughtExceptionHandler()
 * handler of uncaught exceptions}; neither changes anything else.
 */
@FunctionalInterface
public interface PublicationHandler {

  /**
   * Takes an array.
   *
   * @param array the array, which belongs to the handler; {@link
   *     io.arraywire.ArrayHeader#dropped()} says how many the publisher dropped before it
   * @throws Exception if it cannot be used
   */
  void onArray(ReceivedArray array) throws Exception;

  /**
   * The subscription was interrupted, and goes on over another connection, maybe at another
   * address. Publications of the meantime are lost; their number is unknown. Called before the
   * first array that comes behind the gap. A program that needs the present state asks for it here.
   *
   * @param cause what interrupted it; null if the publisher said goodbye
   */
  default void onGap(@Nullable ArraywireException cause) {}

  /**
   * The subscription has ended, and nothing comes any more. Called once.
   *
   * @param cause null if the subscription or the client was closed; else why the far side refuses
   *     the subscription
   */
  default void onEnded(@Nullable ArraywireException cause) {}
}
