package io.arraywire.nio;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;
import java.nio.ByteOrder;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Swapped elements, from the packaged jar, since only there the class of JDK 22 that copies their
 * bits takes the place of the other one.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "memory segments are of JDK 22")
class DirectBigEndianIT extends CodecContract {
  @Override
  protected Codec codec() {
    return NioCodecs.direct(ByteOrder.BIG_ENDIAN);
  }
}
