package io.arraywire.benchmarks.bench;

import java.util.Arrays;

/**
 * One of the requests that an {@link OpenLoop} has on its way, used again and again. The loop fills
 * it, an {@link AnswersContender.Asking} sends it and says when the answer is there.
 */
final class PacedRequest implements AnswerTarget {
  private final OpenLoop loop;
  private final float[] request;
  private final float[] answer;
  private long due;

  PacedRequest(OpenLoop loop, int count) {
    this.loop = loop;
    request = Elements.random(count);
    answer = new float[count];
  }

  /** What is asked. Nobody writes to it until it is answered. */
  float[] request() {
    return request;
  }

  @Override
  public float[] answer() {
    return answer;
  }

  void begin(long number, long nanos) {
    due = nanos;
    request[0] = Float.intBitsToFloat((int) number);
    Elements.spoil(answer);
  }

  @Override
  public void answered() {
    int differs = Arrays.mismatch(request, answer);
    if (differs >= 0) {
      fail(new IllegalStateException("the answer is not the request (element=" + differs + ")"));
    } else {
      loop.answered(this, due);
    }
  }

  @Override
  public void fail(Throwable cause) {
    loop.fail(cause);
  }
}
