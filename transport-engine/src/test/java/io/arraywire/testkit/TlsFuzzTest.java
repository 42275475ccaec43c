package io.arraywire.testkit;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ErrorCode;
import io.arraywire.engine.Role;
import io.arraywire.memory.Portions;
import io.arraywire.spi.TlsEngines;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Tag;

/**
 * Somebody between two peers that speak TLS, and strangers that send a peer anything. Both sides
 * are the layer of TLS with engines of the JDK, and a connection above.
 *
 * <p>What must hold: nothing is delivered that was not sent, in another order or twice; what is
 * acknowledged was delivered; each side ends with one typed error; memory stays within limits and
 * comes back; no code of this library throws anything else.
 */
@Tag("newest")
class TlsFuzzTest {
  private static final SSLContext CONTEXT = context();

  /** The TLS sessions that are known by these numbers of ports are resumed: a third of the work. */
  private static final int RESUMED = 1;

  private static final AtomicInteger FRESH = new AtomicInteger(100);

  /** With what a stranger's connection may end, at either side. */
  private static final Set<ErrorCode> OF_STRANGERS =
      EnumSet.of(
          ErrorCode.TLS_FAILED,
          ErrorCode.TLS_MISMATCH,
          ErrorCode.CERTIFICATE_REFUSED,
          ErrorCode.CONNECTION_RESET,
          ErrorCode.CONTROL_FLOOD,
          ErrorCode.HANDSHAKE_TIMEOUT,
          ErrorCode.TOO_MANY_CONNECTIONS);

  /** And that of two peers with somebody between them. */
  private static final Set<ErrorCode> OF_VICTIMS = EnumSet.copyOf(OF_STRANGERS);

  static {
    OF_VICTIMS.addAll(
        EnumSet.of(ErrorCode.TRUNCATED, ErrorCode.HEARTBEAT_TIMEOUT, ErrorCode.SLOW_FRAME));
  }

  /** Of a peer that has not been let in: a window, a record in part, and what is to be said. */
  private static final long OF_STRANGER_BYTES = 54 << 10;

  private static SSLContext context() {
    SSLContext context =
        TestAuthority.named("arraywire test").issue("both", "localhost", "127.0.0.1").context();
    context.getClientSessionContext().setSessionCacheSize(32);
    context.getServerSessionContext().setSessionCacheSize(32);
    return context;
  }

  private record Engines(boolean old, int knownAs) implements TlsEngines {
    @Override
    public SSLEngine client(String peerName, int port) {
      return ready(CONTEXT.createSSLEngine("localhost", knownAs), true);
    }

    @Override
    public SSLEngine server() {
      return ready(CONTEXT.createSSLEngine(), false);
    }

    private SSLEngine ready(SSLEngine engine, boolean client) {
      engine.setUseClientMode(client);
      engine.setEnabledProtocols(new String[] {old ? "TLSv1.2" : "TLSv1.3"});
      return engine;
    }
  }

  /** Two peers, and somebody between them who cuts, changes, repeats and makes up records. */
  @FuzzTest
  void between(FuzzedDataProvider data) {
    boolean old = data.consumeBoolean();
    boolean resumed = data.consumeInt(0, 3) < 3;
    TlsEngines engines =
        new Engines(old, resumed ? RESUMED + (old ? 1 : 0) : FRESH.incrementAndGet());
    EngineBench connector = bench(Role.CONNECTOR, engines, data.consumeInt(0, 5));
    EngineBench acceptor = bench(Role.ACCEPTOR, engines, data.consumeInt(0, 5));
    TamperedPair pair = new TamperedPair(connector, acceptor, data);
    pair.run();
    pair.check(OF_VICTIMS);
  }

  /** The first byte says who the stranger talks to; the others are what it sends. */
  @FuzzTest
  void stranger(byte[] data) {
    int setting = data.length == 0 ? 0 : data[0];
    Role role = (setting & 1) == 0 ? Role.ACCEPTOR : Role.CONNECTOR;
    TlsEngines engines = new Engines((setting & 2) != 0, FRESH.incrementAndGet());
    EngineBench bench = bench(role, engines, (setting >> 3 & 7) % 6);
    bench.feed(Arrays.copyOfRange(data, Math.min(1, data.length), data.length));
    TamperedPair.require(
        bench.memory.acquiredBytes() <= OF_STRANGER_BYTES,
        "a stranger holds " + bench.memory.acquiredBytes() + " bytes");
    TamperedPair.require(!bench.connection.isOpen(), "a stranger is let in");
    if ((setting & 4) != 0) {
      bench.end();
    }
    TamperedPair.outwait(bench);
    TamperedPair.require(bench.handler.arrays.isEmpty(), "a stranger's array is delivered");
    TamperedPair.ended(bench, OF_STRANGERS);
  }

  private static EngineBench bench(Role role, TlsEngines engines, int portions) {
    Portions each = Portions.each(7).get(portions);
    return EngineBench.encrypting(role, EngineBench.options(), engines).portions(each, each);
  }
}
