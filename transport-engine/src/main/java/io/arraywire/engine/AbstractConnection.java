package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.LeasedArray;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A connection as its own channel 0. */
abstract class AbstractConnection implements Connection {

  /** Channel 0. */
  abstract Channel main();

  @Override
  public Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    return main().send(source, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options) {
    return main().sendAsync(source, options);
  }

  @Override
  public OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return main().offer(source, options);
  }

  @Override
  public CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options) {
    return main().request(source, options);
  }

  @Override
  public @Nullable ReceivedArray receive(Duration timeout)
      throws ArraywireException, InterruptedException {
    return main().receive(timeout);
  }

  @Override
  public boolean receiveInto(ArraySlice target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return main().receiveInto(target, info, timeout);
  }

  @Override
  public @Nullable LeasedArray receiveLeased(Duration timeout)
      throws ArraywireException, InterruptedException {
    return main().receiveLeased(timeout);
  }
}
