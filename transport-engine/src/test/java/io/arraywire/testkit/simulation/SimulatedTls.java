package io.arraywire.testkit.simulation;

import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import javax.net.ssl.SSLEngine;

/**
 * TLS between the hosts of a simulation: the real layer with engines that encrypt nothing, since
 * those of the JDK take as long as all else together and never do the same twice.
 */
final class SimulatedTls implements TlsEngines {
  /** Whether it is TLS 1.2, where one alert ends both directions. */
  final boolean old;

  /** In how many records the listener answers. */
  final int answers;

  /** The most bytes of a record. */
  final int fragment;

  /** Behind how many of a hundred records an engine takes new keys. */
  final int newKeys;

  /** How many of a hundred steps of a handshake have a task. */
  final int tasks;

  private final Choices choices;
  private final Judge judge;

  SimulatedTls(Choices choices, Judge judge) {
    this.judge = judge;
    old = choices.percent(30);
    answers = choices.between(1, 4);
    fragment = choices.of(16, 300, 4096, 16_384);
    newKeys = old ? 0 : choices.of(0, 2, 20);
    tasks = choices.of(0, 50, 100);
    this.choices = choices;
  }

  Tls option() {
    return Tls.of(this);
  }

  @Override
  public SSLEngine client(String peerName, int port) {
    return new SimulatedTlsEngine(this, choices.branch(), judge, true);
  }

  @Override
  public SSLEngine server() {
    return new SimulatedTlsEngine(this, choices.branch(), judge, false);
  }
}
