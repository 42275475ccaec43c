package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.SendOptions;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of this side whose encodings the peer decodes. An array is encoded with the codec that
 * its sender names, or else with the first that supports its element type. Immutable, so that
 * connections share it. Those of a transport are all that it has, whatever a peer decodes.
 */
final class SendCodecs {
  private static final List<Encoding> COMPRESSIONS =
      List.of(Encoding.SHUFFLE_ZSTD, Encoding.SHUFFLE_LZ4);

  private final List<Codec> usable;

  /** Whether a peer decodes them all; else they are those of a transport. */
  private final boolean agreed;

  /** Those of all codecs. */
  private final Set<Encoding> encodings;

  /** The codec of each element type unless a send names one; no entry for unsupported types. */
  private final EnumMap<ElementType, Codec> byType = new EnumMap<>(ElementType.class);

  /**
   * Makes a choice.
   *
   * @param usable in order of preference; at least one
   */
  SendCodecs(List<Codec> usable) {
    this(usable, true);
  }

  private SendCodecs(List<Codec> usable, boolean agreed) {
    this.usable = List.copyOf(usable);
    this.agreed = agreed;
    encodings = usable.stream().map(Codec::encoding).collect(Collectors.toUnmodifiableSet());
    for (ElementType type : ElementType.values()) {
      for (Codec codec : usable) {
        // What loses bits has to be asked for.
        if (codec.encoding().loss() == null
            && isForConnection(codec)
            && codec.encoding().supports(type)) {
          byType.putIfAbsent(type, codec);
        }
      }
    }
  }

  /** All codecs of a transport, at least one. */
  static SendCodecs ofTransport(List<Codec> codecs) {
    return new SendCodecs(codecs, false);
  }

  /** Those with encodings that a peer understands; may be none. */
  List<Codec> of(Predicate<Encoding> understood) {
    return usable.stream().filter(codec -> understood.test(codec.encoding())).toList();
  }

  /**
   * Whether this connection encodes with a codec. One that writes element by element is there to be
   * compared, and encodes only if it is the first in the list.
   */
  private boolean isForConnection(Codec codec) {
    return codec.equals(first()) || !codec.traits().elementwise();
  }

  /** What encodes most arrays. */
  Codec first() {
    return usable.get(0);
  }

  List<String> names() {
    return usable.stream().map(Codec::name).toList();
  }

  /**
   * Those that a connection may choose by itself in place of plain elements, in which most arrays
   * travel otherwise. None if the program prefers another encoding.
   */
  List<Codec> compressions() {
    if (!first().encoding().hasPlainElements() || first().traits().elementwise()) {
      return List.of();
    }
    return usable.stream()
        .filter(codec -> COMPRESSIONS.contains(codec.encoding()) && isForConnection(codec))
        .toList();
  }

  /** Those that lose bits, each with how much, for people. */
  List<String> lossy() {
    return usable.stream()
        .filter(codec -> codec.encoding().loss() != null)
        .map(codec -> codec.name() + " (" + codec.encoding().loss() + ")")
        .toList();
  }

  /** The types that may be sent to a peer that understands some. */
  Set<ElementType> types(Predicate<ElementType> understood) {
    Set<ElementType> types = EnumSet.noneOf(ElementType.class);
    for (ElementType type : ElementType.values()) {
      if (byType.containsKey(type) && understood.test(type)) {
        types.add(type);
      }
    }
    return types;
  }

  /** The codec of an agreed element type, unless the send names one. */
  Codec of(ElementType type) {
    Codec codec = byType.get(type);
    if (codec == null) {
      throw new IllegalStateException("no codec for a type that was agreed: " + type);
    }
    return codec;
  }

  /** The first with plain elements, which alone can be more than an array holds; or another. */
  Codec plain(ElementType type, Codec other) {
    for (Codec codec : usable) {
      Encoding encoding = codec.encoding();
      if (encoding.hasPlainElements() && encoding.supports(type) && isForConnection(codec)) {
        return codec;
      }
    }
    return other;
  }

  /**
   * The codec of an array whose element type was agreed.
   *
   * @throws IllegalArgumentException if the options name a codec that cannot encode it
   */
  Codec of(ElementType type, SendOptions options) {
    String name = options.codec();
    if (name == null) {
      return of(type);
    }
    Codec codec = named(name, null);
    if (!codec.encoding().supports(type)) {
      throw refused(
          "the codec does not support the element type; name another codec",
          name,
          null,
          "type",
          type.typeName());
    }
    return codec;
  }

  /**
   * The codec of a name.
   *
   * @param part the name of the part that asks for it, null if the options do
   * @throws IllegalArgumentException if the peer does not decode it, or the transport lacks it
   */
  Codec named(String name, @Nullable String part) {
    Codec codec = find(name);
    if (codec == null) {
      throw refused(
          agreed
              ? "the peer decodes no codec of that name; name one of those agreed, or add this one"
                  + " on both sides"
              : "this transport has no codec of that name; add it to the option codecs",
          name,
          part);
    }
    if (!isForConnection(codec)) {
      throw refused(
          "a codec that writes element by element is chosen for the whole connection; put it"
              + " first in the option codecs",
          name,
          part);
    }
    return codec;
  }

  /** What says an encoding that is not there. */
  IllegalArgumentException refused(Encoding encoding) {
    return refused(
        agreed
            ? "the peer does not decode an encoding in the table of parts; take an agreed one,"
                + " or add a codec of it on both sides"
            : "this transport has no codec of an encoding in the table of parts; add one to the"
                + " option codecs",
        encoding.name(),
        null);
  }

  /** What cannot be encoded with a codec that was named for it, and why. */
  IllegalArgumentException refused(
      String text, String codec, @Nullable String part, Object... facts) {
    List<Object> all = new ArrayList<>(List.of("codec", codec));
    if (part != null) {
      all.addAll(List.of("part", part));
    }
    all.addAll(List.of(facts));
    all.addAll(List.of(agreed ? "agreed" : "codecs", names()));
    return new IllegalArgumentException(MessageText.brief(text, all.toArray()));
  }

  /** The codec of a name that a send may name; null if there is none. */
  @Nullable Codec usable(String name) {
    Codec codec = find(name);
    return codec != null && isForConnection(codec) ? codec : null;
  }

  /** The first codec of an encoding; null if the peer does not decode it. */
  @Nullable Codec of(Encoding encoding) {
    for (Codec codec : usable) {
      if (codec.encoding().equals(encoding) && isForConnection(codec)) {
        return codec;
      }
    }
    return null;
  }

  /** Whether there is a codec of raw elements, and messages of parts can be sent. */
  boolean hasRaw() {
    for (Codec codec : usable) {
      if (isRaw(codec.encoding()) && !codec.traits().elementwise()) {
        return true;
      }
    }
    return false;
  }

  /** Whether elements stand side by side, as in memory. */
  static boolean isRaw(Encoding encoding) {
    return encoding.equals(Encoding.RAW_LITTLE_ENDIAN) || encoding.equals(Encoding.RAW_BIG_ENDIAN);
  }

  /** Whether a peer that takes some types can read an array, or all parts of a message. */
  boolean isReadable(ElementType type, ArrayAttributes attributes, Set<ElementType> types) {
    PartTable parts = attributes.parts();
    return parts == null ? types.contains(type) : parts.isReadableWith(types, encodings);
  }

  /** The same options, without a codec that {@link #of(ElementType, SendOptions)} would reject. */
  SendOptions lenient(ElementType type, SendOptions options) {
    String name = options.codec();
    if (name == null) {
      return options;
    }
    Codec codec = usable(name);
    boolean suits = codec != null && codec.encoding().supports(type);
    return suits ? options : options.codec(null);
  }

  /**
   * Whether a send names a codec that loses bits, which both ends have, for a type. Such a codec
   * agrees on no type, since nothing but its name chooses it.
   */
  boolean isNamedFor(ElementType type, SendOptions options) {
    String name = options.codec();
    Codec codec = name == null ? null : find(name);
    return codec != null && codec.encoding().loss() != null && codec.encoding().supports(type);
  }

  /** Whether all that encode a type lose bits. */
  boolean isLossyOnly(ElementType type) {
    return !byType.containsKey(type)
        && usable.stream()
            .map(Codec::encoding)
            .anyMatch(encoding -> encoding.loss() != null && encoding.supports(type));
  }

  private @Nullable Codec find(String name) {
    for (Codec codec : usable) {
      if (codec.name().equals(name)) {
        return codec;
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SendCodecs that && usable.equals(that.usable);
  }

  @Override
  public int hashCode() {
    return usable.hashCode();
  }

  @Override
  public String toString() {
    return names().toString();
  }
}
