/**
 * Elements to be sent that do not lie in one array of the heap: buffers, files, memory segments,
 * rows, and what a class of your own reads.
 */
package io.arraywire.source;
