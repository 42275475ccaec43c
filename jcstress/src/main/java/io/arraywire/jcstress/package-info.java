/** What threads meet in, under jcstress: which outcomes there may be, and which never. */
@NullMarked
package io.arraywire.jcstress;

import org.jspecify.annotations.NullMarked;
