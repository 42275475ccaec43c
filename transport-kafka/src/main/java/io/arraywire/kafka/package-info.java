/**
 * Primitive arrays as records of Apache Kafka. It has a serializer, a deserializer and a serde for
 * each primitive array, for {@link io.arraywire.ArraySlice} and for {@link
 * io.arraywire.message.Message}. Others move arrays that are larger than a record. The bytes are
 * those of {@link io.arraywire.message.ArrayMessage}, which other languages read, too.
 */
@NullMarked
package io.arraywire.kafka;

import org.jspecify.annotations.NullMarked;
