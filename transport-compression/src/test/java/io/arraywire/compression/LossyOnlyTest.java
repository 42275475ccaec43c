package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Two ends that have nothing but codecs that lose bits. */
class LossyOnlyTest {
  @Test
  void aCodecThatLosesBitsEncodesWhatNamesItAndNothingElse() throws Exception {
    TransportOptions options =
        TransportOptions.builder().codecs(Compression.bf16(), Compression.fp16()).build();
    float[] sent = {1f, 0.1f, -2.5f};
    try (Transport transport = NioTransport.create(options);
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection client = transport.connect(listener.address());
        Connection server = listener.accept()) {
      assertThatThrownBy(() -> client.send(sent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("loses bits")
          .hasMessageContaining("SendOptions.codec")
          .hasMessageContaining("codecs=[bf16, fp16]");
      assertThatThrownBy(() -> client.send(new int[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("was not agreed");
      client.send(ArraySlice.of(sent), SendOptions.handedOff().codec("fp16"));
      float[] received = server.receive().floats();
      assertThat(received[0]).isEqualTo(1f);
      assertThat(received[1]).isNotEqualTo(0.1f).isBetween(0.0999f, 0.1001f);
      assertThat(received[2]).isEqualTo(-2.5f);
    }
  }
}
