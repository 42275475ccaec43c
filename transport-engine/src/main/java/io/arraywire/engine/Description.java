package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ElementType;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.stream.Collectors;

/** Words for {@code describe()}. */
final class Description {
  private Description() {}

  /**
   * What carries the bytes.
   *
   * @param transport what to say of addresses that are neither an IP's nor a file's
   */
  static String path(SocketAddress remote, String transport) {
    if (remote instanceof InetSocketAddress inet) {
      return inet.getAddress() instanceof Inet6Address ? "TCP, IPv6" : "TCP, IPv4";
    }
    return remote instanceof UnixDomainSocketAddress ? "a Unix domain socket" : transport;
  }

  /** What the two sides agreed on, and what codecs lose that may be asked for. */
  static String of(Agreement agreed, SendCodecs codecs) {
    return (agreed.plain() ? "plain mode" : "frames of version " + agreed.wireVersion())
        + ", sends encoding "
        + agreed.sendEncoding()
        + " made by codec "
        + agreed.sendCodec()
        + (codecs.lossy().isEmpty() ? "" : ", on request with loss " + codecs.lossy())
        + " in chunks of chunkBytes="
        + agreed.chunkBytes()
        + (agreed.checksums() ? " with checksums" : " without checksums")
        + ", types "
        + agreed.elementTypes().stream()
            .sorted()
            .map(ElementType::typeName)
            .collect(Collectors.joining(" "))
        + ", maxSendBytes="
        + agreed.maxSendBytes()
        + ", maxReceiveBytes="
        + agreed.maxReceiveBytes()
        + ", channels="
        + agreed.channels()
        + (agreed.plain()
            ? ", no credit: a slow receiver stops reading"
            : ", subscriptions=" + agreed.subscriptions())
        + (agreed.sessionTimeout() == null
            ? ", no session"
            : ", a session of sessionTimeout=" + agreed.sessionTimeout())
        + ", peer is "
        + agreed.peer()
        + (agreed.identity() == null ? "" : ", identity " + agreed.identity());
  }
}
