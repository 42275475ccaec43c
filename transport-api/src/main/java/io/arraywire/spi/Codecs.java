package io.arraywire.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** Finds codecs by name among those on the class path or module path. Any thread. */
public final class Codecs {
  private Codecs() {}

  /**
   * The codecs that are present.
   *
   * @return the codecs, sorted by name
   */
  public static List<Codec> installed() {
    List<Codec> codecs = new ArrayList<>();
    for (CodecProvider provider : ServiceLoader.load(CodecProvider.class)) {
      codecs.addAll(provider.codecs());
    }
    codecs.sort(Comparator.comparing(Codec::name));
    return codecs;
  }

  /**
   * The codec with a name.
   *
   * @param name its name, for example {@code direct}
   * @return the codec
   * @throws IllegalArgumentException if there is none of that name; the text names those there are
   */
  public static Codec named(String name) {
    List<Codec> installed = installed();
    for (Codec codec : installed) {
      if (codec.name().equals(name)) {
        return codec;
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "unknown codec; name one that is present, or add the module that has it",
            "codec",
            name,
            "present",
            installed.stream().map(Codec::name).toList()));
  }
}
