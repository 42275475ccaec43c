package io.arraywire;

/**
 * What became of an array that was published, when {@link Listener#publish} returned. Immutable.
 *
 * @param subscribers how many there were
 * @param queued how many of them will be sent the array, unless they end before, or lag and have
 *     {@link LagPolicy#DROP_OLDEST}
 * @param dropped how many arrays were dropped. This one counts for each subscriber that lags with
 *     {@link LagPolicy#DROP_NEWEST}, or has not agreed on the array's type or size. Older ones
 *     count with {@link LagPolicy#DROP_OLDEST}, and those that waited for a subscriber with {@link
 *     LagPolicy#DISCONNECT}
 * @param timedOut how many with {@link LagPolicy#BLOCK} had no room in time, and go without it
 * @param disconnected how many subscriptions it ended, with {@link LagPolicy#DISCONNECT}; they go
 *     without it
 * @param encodings how often the array was encoded: once for each encoding in use, however many
 *     subscribers share it. Plain elements and the blocks that are made of them count as one
 *     encoding
 */
public record PublishReceipt(
    int subscribers, int queued, int dropped, int timedOut, int disconnected, int encodings) {}
