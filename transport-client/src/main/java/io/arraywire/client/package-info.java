/** A client for services: several addresses, connections that come back, orderly shutdown. */
package io.arraywire.client;
