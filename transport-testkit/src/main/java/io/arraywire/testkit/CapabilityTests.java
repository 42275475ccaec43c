package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.BindFailedException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.spi.Capability;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a transport says that it can do is what it can do. */
interface CapabilityTests {
  TransportStage stage();

  TransportContract.Promises promises();

  /** {@link ReceiptTests} count the copies. */
  @Test
  default void itSaysWhetherLargeArraysAreStaged() {
    assertThat(stage().transport().capabilities().contains(Capability.ARRAY_DIRECT))
        .isEqualTo(promises().straightFrom() < Long.MAX_VALUE);
  }

  @Test
  default void itSaysWhetherItKnowsUnixDomainSockets() throws Exception {
    Transport transport = stage().transport();
    Path directory = Files.createTempDirectory("arraywire");
    try {
      UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
      if (transport.capabilities().contains(Capability.UNIX_DOMAIN_SOCKETS)) {
        try (Listener listener = transport.listen(address);
            Connection there = transport.connect(address);
            Connection here = listener.accept()) {
          there.send(new int[] {7});
          assertThat(here.receive().ints()).containsExactly(7);
        }
      } else {
        assertThatThrownBy(() -> transport.listen(address)).isInstanceOf(BindFailedException.class);
      }
    } finally {
      Files.delete(directory);
    }
  }
}
