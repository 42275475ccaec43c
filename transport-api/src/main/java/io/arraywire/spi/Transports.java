package io.arraywire.spi;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Finds transports by name among those on the class path or module path. Any thread. */
public final class Transports {
  private Transports() {}

  /**
   * The names of the transports that are present.
   *
   * @return the names, sorted
   */
  public static List<String> names() {
    TreeSet<String> names = new TreeSet<>();
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      names.add(provider.name());
    }
    return new ArrayList<>(names);
  }

  /**
   * Makes a transport.
   *
   * @param name its name, for example {@code nio}
   * @param options its options
   * @return the transport, to be closed by the caller
   * @throws IllegalArgumentException if there is none of that name; the text names those there are
   */
  public static Transport create(String name, TransportOptions options) {
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      if (provider.name().equals(name)) {
        return provider.create(options);
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "unknown transport; name one that is present, or add the module that has it",
            "transport",
            name,
            "present",
            names()));
  }
}
