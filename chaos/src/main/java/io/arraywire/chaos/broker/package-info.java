/**
 * A broker of Kafka for tests, in this JVM or in a process of its own that can be killed. Begin at
 * {@link io.arraywire.chaos.broker.TestBroker}.
 */
@NullMarked
package io.arraywire.chaos.broker;

import org.jspecify.annotations.NullMarked;
