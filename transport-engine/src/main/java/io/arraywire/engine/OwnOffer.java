package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Codec;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.lang.module.ModuleDescriptor;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What this side says of itself in the handshake. */
final class OwnOffer {
  private static final String LIBRARY = "arraywire-java " + version();

  private OwnOffer() {}

  /**
   * Makes an offer.
   *
   * @param codecs the codecs of this side
   * @param options of the transport
   * @param checksums whether payloads are to have checksums if the peer wants them, too
   */
  static Offer of(List<Codec> codecs, TransportOptions options, boolean checksums) {
    Map<Integer, String> encodings = new TreeMap<>();
    TreeSet<Integer> types = new TreeSet<>();
    for (Codec codec : codecs) {
      encodings.putIfAbsent(codec.encoding().code(), codec.encoding().name());
      for (ElementType type : ElementType.values()) {
        if (codec.encoding().supports(type)) {
          types.add(type.code());
        }
      }
    }
    byte[] token = options.authToken();
    return new Offer(
        encodings,
        types,
        ByteOrder.nativeOrder(),
        options.maxArrayBytes(),
        options.maxFrameBytes(),
        checksums,
        token == null ? new byte[0] : token,
        LIBRARY,
        new FlowOffer(
            options.maxChannels(),
            Math.max(FlowOffer.LEAST_CREDIT, options.inboxBytes()),
            options.connectionInboxBytes(),
            Math.max(1, KeepAliveLimits.heartbeatInterval(options).toMillis()),
            options.maxSubscriptions()));
  }

  private static String version() {
    String version = OwnOffer.class.getPackage().getImplementationVersion();
    ModuleDescriptor module = OwnOffer.class.getModule().getDescriptor();
    if (version == null && module != null) {
      // On the module path the JDK does not look at the manifest.
      version = module.rawVersion().orElse(null);
    }
    return version == null ? "development" : version;
  }
}
