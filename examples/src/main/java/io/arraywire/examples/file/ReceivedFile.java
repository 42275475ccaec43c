package io.arraywire.examples.file;

import io.arraywire.examples.npy.NpyHeader;
import java.net.SocketAddress;
import java.nio.file.Path;

/**
 * A file that came.
 *
 * @param path where it is
 * @param header type, byte order and shape of its array
 * @param bytes bytes of its elements
 * @param peer the sender
 * @param nanos from its first frame until it had its name
 * @param operations how often the channel moved something of it
 */
public record ReceivedFile(
    Path path, NpyHeader header, long bytes, SocketAddress peer, long nanos, long operations) {}
