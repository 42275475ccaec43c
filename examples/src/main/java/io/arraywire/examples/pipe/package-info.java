/** A transport of your own: {@link io.arraywire.examples.pipe.PipeTransport}. */
package io.arraywire.examples.pipe;
