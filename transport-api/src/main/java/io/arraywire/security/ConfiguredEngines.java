package io.arraywire.security;

import io.arraywire.spi.TlsEngines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Configures each engine, the user's own ones too. Any thread. */
final class ConfiguredEngines implements TlsEngines {
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** JSSE has no faster one on any JDK; ChaCha20 is the slowest by far. */
  private static final List<String> BEST_FIRST = List.of("_AES_128_GCM_", "_AES_256_GCM_");

  private final TlsEngines engines;
  private final boolean clientCertificateRequired;
  private final @Nullable String peerName;

  ConfiguredEngines(
      TlsEngines engines, boolean clientCertificateRequired, @Nullable String peerName) {
    this.engines = engines;
    this.clientCertificateRequired = clientCertificateRequired;
    this.peerName = peerName;
  }

  @Override
  public SSLEngine client(String dialledName, int port) throws IOException {
    SSLEngine engine = engines.client(peerName == null ? dialledName : peerName, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = parameters(engine);
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public SSLEngine server() throws IOException {
    SSLEngine engine = engines.server();
    engine.setUseClientMode(false);
    SSLParameters parameters = parameters(engine);
    parameters.setUseCipherSuitesOrder(true);
    if (clientCertificateRequired) {
      parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public @Nullable String trouble() {
    return engines.trouble();
  }

  private static SSLParameters parameters(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    List<String> enabled = Arrays.asList(parameters.getProtocols());
    List<String> protocols = PROTOCOLS.stream().filter(enabled::contains).toList();
    if (!protocols.isEmpty()) {
      parameters.setProtocols(protocols.toArray(String[]::new));
    }
    List<String> suites = new ArrayList<>(Arrays.asList(parameters.getCipherSuites()));
    suites.removeIf(suite -> !isAuthenticated(suite));
    if (!suites.isEmpty()) {
      suites.sort(Comparator.comparingInt(ConfiguredEngines::rank));
      parameters.setCipherSuites(suites.toArray(String[]::new));
    }
    return parameters;
  }

  /** Whether it needs no checksum beside it, and keys that are lost later open nothing. */
  private static boolean isAuthenticated(String suite) {
    boolean authenticated = suite.contains("_GCM_") || suite.contains("_CHACHA20_");
    return authenticated && (suite.contains("_ECDHE_") || !suite.contains("_WITH_"));
  }

  private static int rank(String suite) {
    for (int i = 0; i < BEST_FIRST.size(); i++) {
      if (suite.contains(BEST_FIRST.get(i))) {
        return i;
      }
    }
    return BEST_FIRST.size();
  }
}
