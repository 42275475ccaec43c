/**
 * Interfaces to implement for another codec, transport or memory pool. To send and receive arrays
 * you need only {@link io.arraywire}.
 */
package io.arraywire.spi;
