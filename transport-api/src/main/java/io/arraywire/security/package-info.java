/** Who may connect, and what they may do: TLS, identities, and limits of an acceptor. */
@NullMarked
package io.arraywire.security;

import org.jspecify.annotations.NullMarked;
