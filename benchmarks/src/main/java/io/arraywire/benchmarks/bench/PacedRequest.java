package io.arraywire.benchmarks.bench;

import java.util.Arrays;

/**
 * A request of an {@link OpenLoop}, reused after its answer. The loop fills it; an {@link
 * AnswersContender.Asking} sends it and calls {@link #answered}.
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

  /** The elements to send. They do not change until {@link #answered}. */
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
