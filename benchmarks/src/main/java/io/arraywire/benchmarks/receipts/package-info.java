/**
 * What an array costs that no clock has to tell: bytes copied, channel operations and bytes
 * allocated. Each path between two JVMs is compared with a table that is checked in.
 *
 * <p>{@link io.arraywire.benchmarks.receipts.ReceiptGuard} measures; {@link
 * io.arraywire.benchmarks.receipts.ReceiptTable} compares.
 */
@NullMarked
package io.arraywire.benchmarks.receipts;

import org.jspecify.annotations.NullMarked;
