/** Arrays over blocking java.io streams, and the codecs that such applications know. */
package io.arraywire.stream;
