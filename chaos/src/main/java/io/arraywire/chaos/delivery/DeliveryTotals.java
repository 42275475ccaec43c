package io.arraywire.chaos.delivery;

/**
 * How much a {@link DeliveryVerdict} is about.
 *
 * @param invoked sends that began
 * @param ok sends reported ok
 * @param unknown sends reported as perhaps delivered
 * @param failed sends reported as certainly not delivered
 * @param withoutOutcome sends of which nothing was reported; they count as unknown in the verdict,
 *     which is right for a sender that was killed. One that ended by itself must have none.
 * @param delivered arrays that came, each time counted
 */
public record DeliveryTotals(
    long invoked, long ok, long unknown, long failed, long withoutOutcome, long delivered) {
  @Override
  public String toString() {
    return "invoked="
        + invoked
        + ", ok="
        + ok
        + ", unknown="
        + unknown
        + ", failed="
        + failed
        + ", withoutOutcome="
        + withoutOutcome
        + ", delivered="
        + delivered;
  }
}
