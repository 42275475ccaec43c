package io.arraywire.engine;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.ArrivalNote;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.LeasedArray;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import java.util.concurrent.CompletionStage;

/** A connection as its own channel 0. */
abstract class AbstractConnection implements Connection {

  /** Channel 0. */
  abstract Channel main();

  @Override
  public Receipt send(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    return main().send(slice, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice, SendOptions options) {
    return main().sendAsync(slice, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice) {
    return main().sendAsync(slice);
  }

  @Override
  public OfferStatus offer(ArraySlice slice, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return main().offer(slice, options);
  }

  @Override
  public CompletionStage<ReceivedArray> request(ArraySlice slice, RequestOptions options) {
    return main().request(slice, options);
  }

  @Override
  public ReceivedArray receive() throws ArraywireException, InterruptedException {
    return main().receive();
  }

  @Override
  public ReceivedArray receiveInto(ArraySlice target)
      throws ArraywireException, InterruptedException {
    return main().receiveInto(target);
  }

  @Override
  public void receiveInto(ArraySlice target, ArrivalNote note)
      throws ArraywireException, InterruptedException {
    main().receiveInto(target, note);
  }

  @Override
  public LeasedArray receiveLeased() throws ArraywireException, InterruptedException {
    return main().receiveLeased();
  }
}
