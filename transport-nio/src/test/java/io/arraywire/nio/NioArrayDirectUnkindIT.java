package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Arrays without staging, over sockets that move at most 1,000 bytes at a time, sometimes none. */
@Tag("variant")
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
class NioArrayDirectUnkindIT extends NioArrayDirectIT {
  private static final long SEED = 20261121;

  @Override
  protected Transport create(TransportOptions options) {
    return new SelectorTransport(
        options, NioOptions.defaults(), UnkindIo.arrayPortions(SEED, 1000));
  }
}
