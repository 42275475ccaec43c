package io.arraywire.memory;

import io.arraywire.engine.Link;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Future;

/** The link beneath the end above a layer: the channel's, but that no array goes past the layer. */
final class CopyingLink implements Link {
  private final Link below;

  CopyingLink(Link below) {
    this.below = below;
  }

  @Override
  public void wakeWriter() {
    below.wakeWriter();
  }

  @Override
  public void wakeWriterSoon() {
    below.wakeWriterSoon();
  }

  @Override
  public void wakeWriterLate() {
    below.wakeWriterLate();
  }

  @Override
  public long readingNanos() {
    return below.readingNanos();
  }

  @Override
  public void resumeReading() {
    below.resumeReading();
  }

  @Override
  public void close() {
    below.close();
  }

  @Override
  public void reset() {
    below.reset();
  }

  @Override
  public boolean beginHelp() {
    return below.beginHelp();
  }

  @Override
  public void help(Future<?> result) {
    below.help(result);
  }

  @Override
  public void endHelp(Future<?> result) {
    below.endHelp(result);
  }

  @Override
  public String arrayPath() {
    return "staged: a layer copies them";
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    return below.peerCertificates();
  }

  @Override
  public SocketAddress localAddress() {
    return below.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return below.remoteAddress();
  }
}
