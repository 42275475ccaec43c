package io.arraywire.benchmarks.bench;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.util.List;
import javax.net.ssl.SSLException;

/** What lies between Netty's handlers and its socket: {@link BenchTls}, with either engine. */
enum NettyTls {
  /** Plain bytes. */
  NONE {
    @Override
    void addTo(Channel peer, boolean client) {}
  },

  /** The JDK's engine. */
  JDK {
    @Override
    void addTo(Channel peer, boolean client) {
      peer.pipeline().addLast(new SslHandler(BenchTls.engine(client)));
    }
  },

  /** BoringSSL, linked into {@code netty-tcnative}. */
  OPENSSL {
    @Override
    void addTo(Channel peer, boolean client) throws SSLException {
      peer.pipeline().addLast(openSsl(client).newHandler(peer.alloc()));
    }
  };

  /** BoringSSL, as {@link BenchTls} sets the JDK's engine. */
  static SslContext openSsl(boolean client) throws SSLException {
    SslContextBuilder builder =
        client
            ? SslContextBuilder.forClient()
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
            : SslContextBuilder.forServer(BenchTls.keys());
    return builder
        .sslProvider(SslProvider.OPENSSL)
        .protocols(BenchTls.PROTOCOL)
        .ciphers(List.of(BenchTls.CIPHER_SUITE))
        .build();
  }

  /**
   * Puts it next to the socket of a new connection. {@link #check} is the connecting end's.
   *
   * @param client whether this end has connected
   */
  abstract void addTo(Channel peer, boolean client) throws SSLException;

  /** Waits for the handshake, if there is one, and checks what the two ends agreed on. */
  static void check(Channel peer) throws SSLException, InterruptedException {
    SslHandler handler = peer.pipeline().get(SslHandler.class);
    if (handler != null) {
      handler.handshakeFuture().sync();
      BenchTls.check(handler.engine().getSession());
    }
  }
}
