package io.arraywire.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** UTF-8 in place: checked and compared without a {@code String}. Stateless; any thread. */
final class Utf8 {
  private Utf8() {}

  /** The bytes of a text, or -1 if it holds half of a surrogate pair, which UTF-8 has not. */
  static int bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return -1;
      }
    }
    return bytes;
  }

  /** The text of bytes that were checked. */
  static String text(ByteBuffer source, int at, int length) {
    byte[] bytes = new byte[length];
    source.get(at, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Whether bytes are well-formed: shortest forms, no surrogates, nothing above U+10FFFF. */
  static boolean isWellFormed(ByteBuffer source, int at, int length) {
    int end = at + length;
    int i = at;
    while (i < end) {
      int first = source.get(i) & 0xff;
      int more;
      int least = 0x80;
      int most = 0xbf;
      if (first < 0x80) {
        more = 0;
      } else if (first >= 0xc2 && first <= 0xdf) {
        more = 1;
      } else if (first >= 0xe0 && first <= 0xef) {
        more = 2;
        least = first == 0xe0 ? 0xa0 : least;
        most = first == 0xed ? 0x9f : most;
      } else if (first >= 0xf0 && first <= 0xf4) {
        more = 3;
        least = first == 0xf0 ? 0x90 : least;
        most = first == 0xf4 ? 0x8f : most;
      } else {
        return false;
      }
      if (more > end - i - 1) {
        return false;
      }
      for (int k = 1; k <= more; k++) {
        int next = source.get(i + k) & 0xff;
        if (next < (k == 1 ? least : 0x80) || next > (k == 1 ? most : 0xbf)) {
          return false;
        }
      }
      i += 1 + more;
    }
    return true;
  }

  /** Whether well-formed bytes are those of a text. */
  static boolean same(ByteBuffer source, int at, int length, String text) {
    int i = at;
    int end = at + length;
    int k = 0;
    while (i < end && k < text.length()) {
      int first = source.get(i) & 0xff;
      int codePoint;
      if (first < 0x80) {
        codePoint = first;
        i++;
      } else if (first < 0xe0) {
        codePoint = (first & 0x1f) << 6 | (source.get(i + 1) & 0x3f);
        i += 2;
      } else if (first < 0xf0) {
        codePoint =
            (first & 0x0f) << 12 | (source.get(i + 1) & 0x3f) << 6 | (source.get(i + 2) & 0x3f);
        i += 3;
      } else {
        codePoint =
            (first & 0x07) << 18
                | (source.get(i + 1) & 0x3f) << 12
                | (source.get(i + 2) & 0x3f) << 6
                | (source.get(i + 3) & 0x3f);
        i += 4;
      }
      int wanted = text.codePointAt(k);
      if (codePoint != wanted) {
        return false;
      }
      k += Character.charCount(wanted);
    }
    return i == end && k == text.length();
  }

  /** Compares two runs of bytes, unsigned. */
  static int compare(ByteBuffer source, int at, int length, int otherAt, int otherLength) {
    int shared = Math.min(length, otherLength);
    for (int i = 0; i < shared; i++) {
      int difference = (source.get(at + i) & 0xff) - (source.get(otherAt + i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return length - otherLength;
  }
}
