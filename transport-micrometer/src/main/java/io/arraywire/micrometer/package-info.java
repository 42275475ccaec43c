/** Counters and gauges for Micrometer. */
package io.arraywire.micrometer;
