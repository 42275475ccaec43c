package io.arraywire.examples;

import io.arraywire.message.Message;

/** Messages of parts that travel by many codecs; test_java.py makes the same elements. */
final class CodedParts {
  private CodedParts() {}

  /**
   * Parts of all sizes and kinds: that shrink, that do not, empty ones, and one without a codec.
   */
  static Message message() {
    long[] ids = new long[100_003];
    int[] steps = new int[30_001];
    int[] noise = new int[50_000];
    boolean[] mask = new boolean[9_999];
    char[] letters = new char[5_000];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = i / 50;
    }
    for (int i = 0; i < steps.length; i++) {
      steps[i] = i / 100;
    }
    for (int i = 0; i < noise.length; i++) {
      noise[i] = i * 0x9e3779b1;
    }
    for (int i = 0; i < mask.length; i++) {
      mask[i] = i % 3 == 0;
    }
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (char) ('a' + i / 7);
    }
    float[] eighths = eighths();
    return Message.of("ids", ids)
        .with("scores", eighths, 1, eighths.length)
        .with("halves", eighths)
        .with("raw", new byte[] {0, 1, 2, 3, 4})
        .with("big", new short[] {0, 1, 2, 3, 4, 5, 6})
        .with("none", new float[0])
        .with("noise", noise)
        .with("steps", steps)
        .with("mask", mask)
        .with("letters", letters)
        .with("last", new double[] {7})
        .codec("ids", "shuffle-zstd")
        .codec("scores", "bf16")
        .codec("halves", "fp16")
        .codec("big", "raw-be")
        .codec("none", "bf16")
        .codec("noise", "shuffle-zstd")
        .codec("steps", "shuffle-lz4")
        .codec("mask", "shuffle-zstd")
        .codec("letters", "shuffle-lz4");
  }

  /** Parts that name no codec, so that one given for the message is for those whose type it has. */
  static Message floats() {
    float[] eighths = eighths();
    return Message.of("scores", eighths).with("raw", new byte[] {0, 1, 2}).with("more", eighths);
  }

  /** Floats of which bf16 loses bits, and fp16 a few. */
  private static float[] eighths() {
    float[] eighths = new float[70_001];
    for (int i = 0; i < eighths.length; i++) {
      eighths[i] = i / 8f;
    }
    return eighths;
  }
}
