package io.arraywire;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * A subscriber that sends each slice it gets, and tells when all of them are sent; see {@link
 * ArrayFlows#subscriber}. Any thread may call it, as the rules of {@link Flow} allow.
 */
public interface ArraySubscriber extends Flow.Subscriber<ArraySlice> {

  /**
   * The end of the stream, in this direction.
   *
   * @return a stage that completes when the publisher has completed and every send is done.
   *     Otherwise it completes exceptionally with the exception of the first send that failed, or
   *     with that of the publisher. Once it has completed in either way, Arraywire touches no array
   *     of the stream any more
   */
  CompletionStage<Void> done();
}
