/** Codecs for slow links: compressions of blocks, and conversions of floats to fewer bits. */
@NullMarked
package io.arraywire.compression;

import org.jspecify.annotations.NullMarked;
