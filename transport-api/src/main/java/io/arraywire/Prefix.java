package io.arraywire;

import java.nio.ByteBuffer;

/** The bytes before the elements, a function of type and count alone. */
interface Prefix {
  /** No bytes. */
  Prefix NONE =
      new Prefix() {
        @Override
        public int bytes(ElementType type, int count) {
          return 0;
        }

        @Override
        public void put(ElementType type, int count, ByteBuffer target) {
          // Nothing precedes the elements of a raw encoding.
        }
      };

  int bytes(ElementType type, int count);

  void put(ElementType type, int count, ByteBuffer target);
}
