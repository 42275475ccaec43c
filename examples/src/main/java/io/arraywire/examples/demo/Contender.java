package io.arraywire.examples.demo;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.util.ArrayList;
import java.util.List;

/**
 * One way of moving an array: a codec on a transport.
 *
 * @param transport name of the transport, the same on both sides
 * @param codec the codec, the same on both sides
 * @param count how many elements are sent
 * @param bytes what they take in memory
 */
record Contender(String transport, Codec codec, int count, long bytes) {

  /**
   * Every installed codec that supports a type and does not compress, on every installed transport.
   *
   * @param type the element type
   * @param count elements for those that move in bulk
   * @param elementwiseCount elements for those that move one at a time
   * @return the contenders, a codec's transports side by side
   */
  static List<Contender> all(ElementType type, int count, int elementwiseCount) {
    List<Contender> contenders = new ArrayList<>();
    for (Codec codec : Codecs.installed()) {
      if (codec.encoding().supports(type) && !codec.encoding().isInBlocks()) {
        int elements = codec.traits().elementwise() ? elementwiseCount : count;
        for (String transport : Transports.names()) {
          contenders.add(new Contender(transport, codec, elements, (long) elements * type.bytes()));
        }
      }
    }
    return contenders;
  }

  /** For a failure's text. */
  String label() {
    return codec.name() + " on " + transport;
  }
}
