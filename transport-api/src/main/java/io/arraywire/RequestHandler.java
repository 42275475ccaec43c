package io.arraywire;

import java.util.Objects;

/**
 * Answers requests, see {@link ArrayOutput#request(ArraySlice, RequestOptions)}. Given to {@link
 * Transport#listen(java.net.SocketAddress, ArrayHandler)} or {@link
 * Transport#connect(java.net.SocketAddress, ArrayHandler)}:
 *
 * <pre>{@code
 * transport.listen(address, RequestHandler.of((connection, request, reply) ->
 *     reply.send(ArraySlice.of(squared(request.floats())))));
 * }</pre>
 *
 * <p>Arrays that are no requests are refused unless {@link #onArray} is overridden; see {@link
 * #withArrays}. <b>Threads and order.</b> As for {@link ArrayHandler}: requests and other arrays of
 * a channel come one at a time, in the order in which they were sent. To work on several at once,
 * hand the work to an executor and answer from there; the answers may go out in any order. Have the
 * work answer whatever happens: an exception that an executor swallows leaves the request open,
 * until {@link Reply} is missed.
 */
// Not annotated as functional: Error Prone holds that against an interface which fills in the
// function of the one above. A lambda of three parameters cannot be taken for one of two.
public interface RequestHandler extends ArrayHandler {

  /**
   * Takes a request.
   *
   * @param connection where it came from
   * @param request the array, which belongs to the handler, always a fresh one
   * @param reply answers it, now or later
   * @throws Exception to refuse the request: if it was not answered yet, the requester gets {@link
   *     RemoteRejectedException}, with the exception's class and message
   */
  void onRequest(Connection connection, ReceivedArray request, Reply reply) throws Exception;

  /**
   * Refuses the array.
   *
   * @param connection where it came from
   * @param array the array
   */
  @Override
  default void onArray(Connection connection, ReceivedArray array) throws Exception {
    throw new UnsupportedOperationException(
        "this handler takes only requests; call request, or give it withArrays");
  }

  /**
   * Names the type for a lambda expression where an {@link ArrayHandler} is wanted.
   *
   * @param handler answers requests
   * @return the same
   */
  static RequestHandler of(RequestHandler handler) {
    return Objects.requireNonNull(handler, "handler");
  }

  /**
   * A handler of requests and of other arrays.
   *
   * @param arrays takes the arrays that are no requests, and is told of the end of the connection
   *     after this handler; if it is a {@link TargetingArrayHandler}, it is asked for the targets
   *     of those arrays
   * @return the two as one
   */
  default RequestHandler withArrays(ArrayHandler arrays) {
    Objects.requireNonNull(arrays, "arrays");
    return arrays instanceof TargetingArrayHandler targeting
        ? new BothHandlers.Targeting(this, targeting)
        : new BothHandlers(this, arrays);
  }
}
