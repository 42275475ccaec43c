package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.SocketAddress;
import org.junit.jupiter.api.Nested;

/** The in-memory transport under the contract: kind and unkind. */
class InMemoryTransportTest {

  abstract static class Contract extends TransportContract {
    abstract MemoryOptions memory();

    @Override
    protected Transport transport(TransportOptions options) {
      return InMemoryTransport.create(options, memory());
    }

    @Override
    protected SocketAddress freeAddress() {
      return MemoryAddress.free();
    }
  }

  @Nested
  class Everything extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults();
    }
  }

  @Nested
  class OnTwoThreads extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults().threads(2);
    }
  }

  @Nested
  class InRandomPortions extends Contract {
    @Override
    MemoryOptions memory() {
      return MemoryOptions.defaults().portions(Portions.random(7)).threads(2);
    }
  }
}
