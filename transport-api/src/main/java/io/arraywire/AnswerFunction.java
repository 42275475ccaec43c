package io.arraywire;

/**
 * Answers a request; see {@link Handlers#answering} and {@link Handlers#answeringLater}. Called on
 * the threads that {@link RequestHandler} names.
 *
 * @param <R> the answer, or the stage of it
 */
@FunctionalInterface
public interface AnswerFunction<R> {

  /**
   * Answers a request.
   *
   * @param request the array, which belongs to the function, always a fresh one
   * @return the answer
   * @throws Exception to refuse the request
   */
  R answer(ReceivedArray request) throws Exception;
}
