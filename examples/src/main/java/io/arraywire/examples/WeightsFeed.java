package io.arraywire.examples;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Publishes the weights of a model while it is trained. A worker that computes with them wants the
 * latest only; one that keeps a record wants all of them.
 */
public final class WeightsFeed {
  private static final float RATE = 0.5f;

  private final Listener listener;
  private final float[] weights;
  private long step;

  /**
   * Makes a feed.
   *
   * @param listener whose subscribers get the weights, on the subject {@code weights}
   * @param weights the first ones
   */
  public WeightsFeed(Listener listener, float... weights) {
    this.listener = listener;
    this.weights = weights.clone();
  }

  /**
   * Goes down a gradient, and publishes where that leads, tagged with the number of the step.
   *
   * @param gradient as long as the weights
   * @return how many subscribers got it, and how many will not
   * @throws Exception if it cannot be published
   */
  public PublishReceipt step(float... gradient) throws Exception {
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= RATE * gradient[i];
    }
    // The copy that is sent is made before this returns, so the next step may change the weights.
    return listener.publish(
        "weights",
        ArraySlice.of(weights),
        ArrayAttributes.of(++step, new long[] {weights.length}, Map.of()));
  }

  /**
   * Takes three steps before a worker and a recorder.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    SubscribeOptions all = SubscribeOptions.defaults().policy(LagPolicy.BLOCK);
    SubscribeOptions latest = SubscribeOptions.defaults().policy(LagPolicy.DROP_OLDEST);
    try (Listener listener = NioTransport.listen(new InetSocketAddress("localhost", 0));
        Connection client = NioTransport.connect(listener.address());
        Subscription recorder = client.subscribe("weights", all);
        Subscription worker = client.subscribe("weights", latest.queueBytes(1 << 20))) {
      WeightsFeed feed = new WeightsFeed(listener, 1, 1);
      System.out.println(feed.step(0, 2).subscribers()); // 2
      feed.step(1, 0);
      ReceivedArray first = worker.receive();
      System.out.println(first.tag() + " " + first.floats()[1]); // 1 0.0
      for (int i = 0; i < 2; i++) {
        System.out.println(recorder.receive().floats()[0]); // 1.0, then 0.5
      }
    }
  }
}
