package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * The short program that sends a memory segment, with packaged jars: only there the classes of JDK
 * 22 take the place of the others. By reflection: this is compiled for JDK 17.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "memory segments are of JDK 22")
class MemorySegmentIT {
  @Test
  void theShortProgramSendsOne() throws Exception {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    Object segment =
        arenas
            .getMethod("allocate", long.class, long.class)
            .invoke(arenas.getMethod("ofAuto").invoke(null), 12L, 4L);
    ((ByteBuffer)
            Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("asByteBuffer")
                .invoke(segment))
        .order(ByteOrder.nativeOrder())
        .putFloat(1)
        .putFloat(-2.5f)
        .putFloat(0.1f);
    assertThat(ShortPrograms.memorySegment(segment)).containsExactly(1, -2.5f, 0.1f);
  }
}
