package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.Transports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all commands share which send or receive arrays. */
final class TransferOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  // In the order in which help has them: what most transfers want comes first.
  @Option(names = "--json", description = "Write JSON lines instead of text.")
  private boolean json;

  @Mixin private TlsOptions tls;

  @Mixin private TokenOption token;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      completionCandidates = CodecNames.class,
      description = {
        "The code that turns elements into bytes and back, and so the encoding on the wire:"
            + " ${COMPLETION-CANDIDATES}.",
        "receive uses it for arrays in its encoding, and decodes arrays in other encodings as usual."
            + " Default: the first in each side's list that the other side can decode."
      })
  private @Nullable String codec;

  @Option(
      names = "--transport",
      paramLabel = "TRANSPORT",
      defaultValue = "nio",
      completionCandidates = TransportNames.class,
      description =
          "How bytes move: ${COMPLETION-CANDIDATES}. Both sides may differ. Default: nio.")
  private String transport;

  /** Of a side that listens. */
  private boolean clientCertificateRequired;

  boolean json() {
    return json;
  }

  /** Whether an option says how elements are encoded. */
  boolean hasCodec() {
    return codec != null;
  }

  /** Whether an option was given that is about arrays on the heap. */
  boolean isChosen() {
    return codec != null
        || tls.isChosen()
        || token.isChosen()
        || command.commandLine().getParseResult().hasMatchedOption("--transport");
  }

  /**
   * Checks that what was given of TLS will do for a side that listens, and takes the rest of it.
   */
  void listens(ListenOptions listen) {
    clientCertificateRequired = listen.clientCertificateRequired();
    if (clientCertificateRequired && !tls.isOn()) {
      throw usage(
          ListenOptions.REQUIRE
              + " is for TLS; add --tls, --cert and --key, and --ca, which says whose certificates"
              + " are accepted");
    }
    if (tls.isChosen() && !tls.hasCertificate()) {
      throw usage(command.name() + " with --tls needs a certificate; give --cert and --key");
    }
  }

  /** The element type that an option names. */
  ElementType type(String name) {
    try {
      return ElementType.named(name);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /**
   * The transport asked for.
   *
   * @param type the element type in plain mode, else null
   * @param maxBytes the largest array to send or accept
   * @param onlyThisCodec whether nothing but the encoding of {@code --codec} will do
   * @return the transport, to be closed by the caller
   * @throws ParameterException if an option names what does not exist or does not go together
   */
  Transport create(@Nullable ElementType type, long maxBytes, boolean onlyThisCodec) {
    return create(type, maxBytes, onlyThisCodec, Long.MAX_VALUE, null);
  }

  /** As above, with a limit for what arrives, and an observer of the transport's connections. */
  Transport create(
      @Nullable ElementType type,
      long maxBytes,
      boolean onlyThisCodec,
      long arrivalBytes,
      @Nullable TransportObserver observer) {
    if (!Transports.names().contains(transport)) {
      throw usage(
          "unknown transport (transport=" + transport + ", present=" + Transports.names() + ")");
    }
    TransportOptions.Builder options = TransportOptions.builder();
    try {
      options
          .maxArrayBytes(maxBytes)
          .arrivalBytes(arrivalBytes)
          .codecs(codecs(type, onlyThisCodec))
          .observer(observer)
          .tls(tls.value(clientCertificateRequired))
          .authToken(token.value());
      if (type != null) {
        options.plain(type);
      }
      return Transports.create(transport, options.build());
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /**
   * Checks that the codec asked for can encode a type.
   *
   * @param type the type
   * @param file where it comes from
   * @throws ParameterException if it cannot
   */
  void checkSupports(ElementType type, Object file) {
    if (codec != null && !named(codec).encoding().supports(type)) {
      throw usage(
          "the codec does not know that element type; choose another (codec="
              + codec
              + ", type="
              + type.typeName()
              + ", file="
              + file
              + ")");
    }
  }

  private List<Codec> codecs(@Nullable ElementType type, boolean onlyThisCodec) {
    if (codec == null) {
      return List.of();
    }
    Codec first = named(codec);
    if (type != null && !first.encoding().equals(Encoding.RAW_BIG_ENDIAN)) {
      throw usage(
          "plain mode is raw big-endian; choose a codec that writes that (codec="
              + codec
              + ", encoding="
              + first.encoding().name()
              + ", codecs="
              + Codecs.installed().stream()
                  .filter(each -> each.encoding().equals(Encoding.RAW_BIG_ENDIAN))
                  .map(Codec::name)
                  .toList()
              + ")");
    }
    List<Codec> codecs = new ArrayList<>();
    codecs.add(first);
    if (!onlyThisCodec) {
      Codecs.installed().stream()
          .filter(each -> !each.name().equals(codec))
          .sorted(Comparator.comparingInt(TransferOptions::slowness))
          .forEach(codecs::add);
    }
    return codecs;
  }

  private static int slowness(Codec codec) {
    return codec.traits().elementwise() ? 2 : codec.traits().staging() == MemoryKind.DIRECT ? 0 : 1;
  }

  private Codec named(String name) {
    List<Codec> all = Codecs.installed();
    Codec codec = all.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    if (codec == null) {
      List<String> present = new ArrayList<>();
      new CodecNames().forEach(present::add);
      throw usage("unknown codec (codec=" + name + ", present=" + present + ")");
    }
    if (codec.encoding().isInBlocks()) {
      throw usage(
          "that encoding compresses; send with --compress=NAME, receive without an option (codec="
              + name
              + ")");
    }
    return codec;
  }

  private ParameterException usage(@Nullable String text) {
    return new ParameterException(command.commandLine(), String.valueOf(text));
  }

  /** For {@code --help} and completion. */
  static final class TransportNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Transports.names().iterator();
    }
  }

  /** For {@code --help} and completion. */
  static final class CodecNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Codecs.installed().stream()
          .filter(each -> !each.encoding().isInBlocks())
          .map(Codec::name)
          .iterator();
    }
  }

  /** For {@code --help} and completion. */
  static final class TypeNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(ElementType.values())
          .map(each -> each.typeName().toLowerCase(Locale.ROOT))
          .iterator();
    }
  }

  /** Reads an address. */
  static final class AddressConverter implements CommandLine.ITypeConverter<Address> {
    @Override
    public Address convert(String value) {
      try {
        return Address.parse(value);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
