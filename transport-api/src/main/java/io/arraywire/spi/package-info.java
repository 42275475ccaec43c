/**
 * What those who add a codec, a transport or a memory pool implement. Users of arrays need only
 * {@link io.arraywire}.
 */
package io.arraywire.spi;
