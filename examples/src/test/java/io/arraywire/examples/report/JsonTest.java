package io.arraywire.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void everyKindOfValue() {
    assertThat(
            Json.text(
                Json.object(
                    "null",
                    null,
                    "true",
                    true,
                    "long",
                    Long.MIN_VALUE,
                    "double",
                    0.25,
                    "nan",
                    Double.NaN,
                    "infinite",
                    Float.POSITIVE_INFINITY,
                    "array",
                    new long[] {1, 2},
                    "list",
                    List.of("a", List.of()),
                    "object",
                    Json.object("x", 1),
                    "path",
                    Path.of("a.npy"))))
        .isEqualTo(
            "{\"null\":null,\"true\":true,\"long\":-9223372036854775808,\"double\":0.25,\"nan\":null,"
                + "\"infinite\":null,\"array\":[1,2],\"list\":[\"a\",[]],\"object\":{\"x\":1},"
                + "\"path\":\"a.npy\"}");
  }

  @Test
  void stringsAreAsciiOnOneLine() {
    assertThat(Json.text("\"\\\n\t\u0000 ~\u007f\u00e9\u2028\ud83d\ude00"))
        .isEqualTo("\"\\\"\\\\\\u000a\\u0009\\u0000 ~\\u007f\\u00e9\\u2028\\ud83d\\ude00\"");
  }
}
