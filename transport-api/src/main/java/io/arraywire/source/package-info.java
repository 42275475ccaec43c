/**
 * Elements that do not lie in one array of the heap: buffers, files, memory segments and rows that
 * are sent, files that are received into, and what a class of your own reads or writes.
 */
package io.arraywire.source;
