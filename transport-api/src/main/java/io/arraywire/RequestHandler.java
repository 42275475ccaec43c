package io.arraywire;

import io.arraywire.source.ArraySource;

/**
 * Takes requests, see {@link ArrayOutput#request(ArraySource, RequestOptions)}, and answers each
 * through a {@link Reply}. With {@link Handlers#answering} and {@link Handlers#answeringLater} a
 * function returns the answer, or a stage of it.
 *
 * <pre>{@code
 * transport.listen(address, Handlers.ofRequests((connection, request, reply) ->
 *     reply.send(squared(request.floats()))));
 * }</pre>
 *
 * <p><b>Threads and order.</b> As for {@link ArrayHandler}: requests and other arrays of a channel
 * come one at a time, in the order of sending. To work on several at once, hand the work to an
 * executor and answer from there; the answers may go out in any order. Have that work answer in
 * every case. If an executor swallows its exception, the request stays open until {@link
 * TransportOptions#requestTimeout()}, or until the garbage collector finds the {@link Reply}.
 *
 * <p>Without an executor of the program's, a nonblocking transport may call a handler on the thread
 * of an event loop. It does so if the handler's calls are short, some microseconds each. The
 * handler may block all the same: then another thread becomes that of the loop, within some
 * milliseconds.
 */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Takes a request.
   *
   * @param connection where it came from
   * @param request the array, which belongs to the handler, always a fresh one
   * @param reply answers it, now or later
   * @throws Exception to refuse the request: if it was not answered yet, the requester gets {@link
   *     RemoteRejectedException}, with the exception's message
   */
  void onRequest(Connection connection, ReceivedArray request, Reply reply) throws Exception;
}
