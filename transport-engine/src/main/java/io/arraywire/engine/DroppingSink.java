package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.nio.ByteBuffer;

/** Reads past an array that nobody wants. */
final class DroppingSink extends Sink {
  /** For an array of which it is not known where it goes. */
  static final DroppingSink NOTHING = new DroppingSink(ElementType.BYTE);

  private final ElementType type;

  DroppingSink(ElementType type) {
    this.type = type;
  }

  @Override
  void put(ByteBuffer source, int bytes) {
    source.position(source.position() + bytes);
  }

  @Override
  void putBlock(ByteBuffer bytes, BlockScratch block) {
    // Nobody asks what is in it.
  }

  @Override
  ArraySlice slice() {
    return none(type);
  }
}
