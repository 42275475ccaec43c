package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.testkit.RunsCodec;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Memory for blocks is used again. */
class BlockScratchTest {
  @Test
  void typesInTurnHaveTheirArraysAgain() {
    BlockScratch scratch = new BlockScratch();
    Object ints = scratch.elements(ElementType.INT, 16_000);
    Object doubles = scratch.elements(ElementType.DOUBLE, 8000);
    assertThat(scratch.elements(ElementType.INT, 16_000)).isSameAs(ints);
    assertThat(scratch.elements(ElementType.DOUBLE, 10)).isSameAs(doubles);
    assertThat(ints).isInstanceOf(int[].class);
  }

  @Test
  void aBufferThatIsTooSmallIsReplacedByOneOfTwiceItsSize() {
    BlockScratch scratch = new BlockScratch();
    assertThat(plainCapacity(scratch, 1000)).isBetween(1000, 2000);
    assertThat(plainCapacity(scratch, 1001)).isBetween(2000, 2002);
    assertThat(plainCapacity(scratch, 65_536)).isEqualTo(65_536);
  }

  private static int plainCapacity(BlockScratch scratch, int elements) {
    return plainBuffer(scratch, elements).capacity();
  }

  private static ByteBuffer plainBuffer(BlockScratch scratch, int elements) {
    scratch.begin(RunsCodec.CODEC, ElementType.BYTE, elements, 10);
    Object unused = scratch.elements(ElementType.BYTE, elements);
    return scratch.plain();
  }

  /** What connections have given back is in a pool, whose memory an idle process does without. */
  @Test
  void whileItRestsItsMemoryIsTheCollectors() {
    BlockScratch scratch = new BlockScratch();
    WeakReference<Object> ints = new WeakReference<>(scratch.elements(ElementType.INT, 16_384));
    WeakReference<Object> plain = new WeakReference<>(plainBuffer(scratch, 65_536).array());
    System.gc();
    assertThat(ints.get()).as("in use").isNotNull();
    scratch.rest();
    System.gc();
    assertThat(ints.get()).isNull();
    assertThat(plain.get()).isNull();
    assertThat(scratch.elements(ElementType.INT, 10)).isInstanceOf(int[].class);
  }

  /** The collector may run at any time, but not each time. */
  @Test
  void restingAloneCostsNothing() {
    BlockScratch scratch = new BlockScratch();
    boolean same = false;
    for (int i = 0; i < 100 && !same; i++) {
      Object ints = scratch.elements(ElementType.INT, 16_384);
      scratch.rest();
      same = ints == scratch.elements(ElementType.INT, 16_384);
    }
    assertThat(same).isTrue();
  }
}
