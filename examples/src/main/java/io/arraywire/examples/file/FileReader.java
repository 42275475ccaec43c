package io.arraywire.examples.file;

import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * {@link SendTechnique#DIRECT}, and what the other techniques share. The library's own reader of
 * the file reads into the frame, and this checks that the file is as it was. Without a region, so
 * no channel takes the elements past that.
 */
class FileReader implements ElementReader {
  private final ElementReader direct;

  FileReader(ElementReader direct) {
    this.direct = direct;
  }

  @Override
  public void read(long index, int count, ByteBuffer target) throws IOException {
    direct.read(index, count, target);
  }

  @Override
  public final void check() throws IOException {
    direct.check();
  }

  @Override
  public void close() {
    direct.close();
  }
}
