package io.arraywire;

import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Makes an exception once more, as {@link ArraywireException#forCaller} wants it. The new one is of
 * the same class, or of the nearest one above it that has a public constructor with text and facts.
 * By reflection, so that exceptions know of no list of all of them.
 */
final class Reproduction {
  private Reproduction() {}

  static ArraywireException of(ArraywireException origin) {
    Object[] facts = origin.rawFacts();
    if (origin instanceof RemoteErrorException remote) {
      return new RemoteErrorException(origin.code(), remote.reason(), facts);
    }
    String text = origin.rawText();
    for (Class<?> type = origin.getClass(); type != Throwable.class; type = type.getSuperclass()) {
      ArraywireException made = made(type, origin.code(), text, facts);
      if (made != null) {
        return made;
      }
    }
    return new ArraywireException(origin.code(), text, facts);
  }

  private static @Nullable ArraywireException made(
      Class<?> type, ErrorCode code, String text, Object[] facts) {
    if (!Modifier.isPublic(type.getModifiers())) {
      return null;
    }
    try {
      return (ArraywireException)
          type.getConstructor(ErrorCode.class, String.class, Object[].class)
              .newInstance(code, text, facts);
    } catch (ReflectiveOperationException e) {
      // It may be of a class that has one code.
    }
    try {
      return (ArraywireException)
          type.getConstructor(String.class, Object[].class).newInstance(text, facts);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
