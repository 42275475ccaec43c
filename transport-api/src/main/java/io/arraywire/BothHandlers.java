package io.arraywire;

import org.jspecify.annotations.Nullable;

/** One handler for requests and another for all else. */
class BothHandlers implements RequestHandler {
  private final RequestHandler requests;
  private final ArrayHandler arrays;

  BothHandlers(RequestHandler requests, ArrayHandler arrays) {
    this.requests = requests;
    this.arrays = arrays;
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply)
      throws Exception {
    requests.onRequest(connection, request, reply);
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws Exception {
    arrays.onArray(connection, array);
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    try {
      requests.onClosed(connection, cause);
    } finally {
      arrays.onClosed(connection, cause);
    }
  }

  /** The same where targets are asked for. */
  static final class Targeting extends BothHandlers implements TargetingArrayHandler {
    private final TargetingArrayHandler targets;

    Targeting(RequestHandler requests, TargetingArrayHandler arrays) {
      super(requests, arrays);
      targets = arrays;
    }

    @Override
    public @Nullable ArraySlice target(Connection connection, ArrayHeader header) throws Exception {
      return targets.target(connection, header);
    }
  }
}
