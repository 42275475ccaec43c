/**
 * Give a {@code float[]} here, have it in a {@code float[]} there: what a user of Arraywire meets.
 *
 * <p>Start with a transport's entry class ({@code NioTransport} or {@code StreamTransport}), {@link
 * io.arraywire.Listener} and {@link io.arraywire.Connection}.
 */
package io.arraywire;
