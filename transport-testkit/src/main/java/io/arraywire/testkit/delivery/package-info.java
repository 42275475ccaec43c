/**
 * The delivery checker: senders and receivers log what they did, and {@link
 * io.arraywire.testkit.delivery.DeliveryChecker} says whether what was promised was kept. {@link
 * io.arraywire.testkit.delivery.DeliverySender} and {@link
 * io.arraywire.testkit.delivery.DeliveryReceiver} are programs that log so, to be killed, stopped
 * and cut off.
 */
package io.arraywire.testkit.delivery;
