/** Arrays over nonblocking channels and direct memory. */
package io.arraywire.nio;
