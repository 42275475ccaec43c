/**
 * The delivery checker: senders and receivers log what they did, and {@link
 * io.arraywire.chaos.delivery.DeliveryChecker} says whether what was promised was kept. {@link
 * io.arraywire.chaos.delivery.DeliverySender} and {@link
 * io.arraywire.chaos.delivery.DeliveryReceiver} are programs that log so, to be killed, stopped and
 * cut off.
 */
@NullMarked
package io.arraywire.chaos.delivery;

import org.jspecify.annotations.NullMarked;
