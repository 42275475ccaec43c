/**
 * Elements that do not lie in one array of the heap. Buffers, files, memory segments and rows are
 * sent; files are received into; a class of your own reads or writes what it likes.
 */
package io.arraywire.source;
