/** TLS between connections and their channels: one layer for all transports. Not exported. */
package io.arraywire.engine.tls;
