import org.jspecify.annotations.NullMarked;

/** Codecs for slow links: compressions of blocks, and conversions of floats to fewer bits. */
@NullMarked
module io.arraywire.compression {
  requires transitive io.arraywire;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires static org.jspecify;

  exports io.arraywire.compression;

  provides io.arraywire.spi.CodecProvider with
      io.arraywire.compression.CompressionCodecProvider;
}
