package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.Receipt;

/** What a lease tells of its array. */
record LeaseFacts(ArrayHeader header, Receipt receipt) {}
