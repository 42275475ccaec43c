/** One trace over several services. */
package io.arraywire.examples.tracing;
