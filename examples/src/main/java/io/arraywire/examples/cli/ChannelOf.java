package io.arraywire.examples.cli;

import io.arraywire.ArrayHeader;
import io.arraywire.Connection;

/**
 * Where an array comes from: arrays of different channels of a connection come at the same time.
 */
record ChannelOf(Connection connection, int channel) {
  ChannelOf(Connection connection, ArrayHeader header) {
    this(connection, header.channel());
  }
}
