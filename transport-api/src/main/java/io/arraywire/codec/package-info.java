/** Codecs that need no transport of their own. */
package io.arraywire.codec;
