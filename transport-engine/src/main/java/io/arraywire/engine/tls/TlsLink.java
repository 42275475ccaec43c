package io.arraywire.engine.tls;

import io.arraywire.ArraywireException;
import io.arraywire.engine.Link;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** The link beneath the end above TLS: the channel's, but that TLS has the last word. */
final class TlsLink implements Link {
  private final Link below;
  private final TlsState state;

  TlsLink(Link below, TlsState state) {
    this.below = below;
    this.state = state;
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
  public boolean runsTask(Runnable task, Executor otherwise) {
    return below.runsTask(task, otherwise);
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
    state.close();
  }

  @Override
  public void reset() {
    below.reset();
  }

  @Override
  public void refuse(ArraywireException cause) {
    state.refuse(cause);
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
    return "staged: " + state.describe();
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    return state.peerCertificates();
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
