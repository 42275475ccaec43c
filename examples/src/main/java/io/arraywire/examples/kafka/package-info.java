/** A bridge between listeners and topics of Apache Kafka, in both directions. */
package io.arraywire.examples.kafka;
