/**
 * Messages of several arrays as values, and their bytes outside of a connection. Such bytes may be
 * in a file, a record of a broker or the body of an HTTP request.
 *
 * <p>{@link io.arraywire.message.Message} is the value, {@link io.arraywire.message.ArrayMessage}
 * makes bytes of it and back, {@link io.arraywire.message.MessageView} reads bytes into the
 * caller's arrays. {@code docs/array-message.md} describes the bytes.
 */
package io.arraywire.message;
