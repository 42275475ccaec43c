package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --compress}: encodings for links that are slower than memory. */
final class CompressOption {
  /** Lossless, for all types, and smaller than the others that are. */
  static final String DEFAULT = "shuffle-zstd";

  /** What a Java array holds at most, and so the peer's, which has to decode it. */
  private static final long MOST_ELEMENTS = Integer.MAX_VALUE - 8L;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--compress",
      arity = "0..1",
      paramLabel = "ENCODING",
      completionCandidates = Names.class,
      preprocessor = Attached.class,
      description = {
        "Compress the elements, for a link that is slower than memory: ${COMPLETION-CANDIDATES}."
            + " bf16 and fp16 send floats as 16 bits, and lose the others. The receiver needs no"
            + " option. Default: none; without a name "
            + DEFAULT
            + "."
      })
  private @Nullable String name;

  boolean isChosen() {
    return name != null;
  }

  /** The name of the codec that compresses; null if none was asked for. */
  @Nullable String value() {
    if (name != null && !names().contains(name)) {
      throw usage(
          "unknown encoding (compress=" + name + ", known=" + String.join(" ", names()) + ")");
    }
    return name;
  }

  /**
   * Checks that no element is lost.
   *
   * @param why what needs that
   */
  void checkLossless(String why) {
    String loss = name == null ? null : encoding().loss();
    if (loss != null) {
      throw usage(
          why
              + ", and the encoding loses some; leave one out (compress="
              + name
              + ", loss="
              + loss
              + ")");
    }
  }

  /**
   * Checks that an array can be sent so.
   *
   * @param file where it comes from
   */
  void checkSupports(ElementType type, long count, Object file) {
    if (name == null) {
      return;
    }
    if (!encoding().supports(type)) {
      throw usage(
          "the encoding does not know that element type; choose another (compress="
              + name
              + ", type="
              + type.typeName()
              + ", file="
              + file
              + ")");
    }
    if (count > MOST_ELEMENTS) {
      throw usage(
          "an array of so many elements cannot be compressed; leave out --compress (elements="
              + count
              + ", most="
              + MOST_ELEMENTS
              + ", file="
              + file
              + ")");
    }
  }

  private Encoding encoding() {
    return Codecs.named(String.valueOf(value())).encoding();
  }

  private static List<String> names() {
    return Codecs.installed().stream()
        .filter(each -> each.encoding().isInBlocks())
        .map(Codec::name)
        .toList();
  }

  private ParameterException usage(String text) {
    return new ParameterException(command.commandLine(), text);
  }

  /** For {@code --help} and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      // The jar that makes completion and man page is that of bench, which has no codecs of these.
      return List.of("shuffle-zstd", "shuffle-lz4", "bf16", "fp16").iterator();
    }
  }

  /**
   * The next word is the option's if it stands behind {@code =} or names an encoding, and a file
   * otherwise.
   */
  static final class Attached implements CommandLine.IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's
    public boolean preprocess(
        Stack<String> words, CommandSpec spec, ArgSpec option, Map<String, Object> info) {
      boolean apart = " ".equals(info.get("separator"));
      if (apart && (words.isEmpty() || !names().contains(words.peek()))) {
        words.push(DEFAULT);
      }
      return false;
    }
  }
}
