package io.arraywire.benchmarks.result;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * An object of a JSON file. What is missing or of another kind is an {@link IOException} that names
 * the file and the member.
 */
final class Members {
  /** Where the parser stopped, in its words. */
  private static final Pattern PLACE = Pattern.compile("at line (\\d+) column (\\d+)");

  private final Path file;
  private final String writer;
  private final String place;
  private final JsonObject object;

  private Members(Path file, String writer, String place, JsonObject object) {
    this.file = file;
    this.writer = writer;
    this.place = place;
    this.object = object;
  }

  /**
   * Reads a file.
   *
   * @param path the file
   * @return a document that knows what kind it is
   * @throws IOException if it cannot be read or is not JSON
   */
  static Document read(Path path) throws IOException {
    return new Document(path, parse(path));
  }

  /** A file that was read. */
  record Document(Path path, JsonElement root) {

    boolean isList() {
      return root.isJsonArray();
    }

    /**
     * The one object that it holds.
     *
     * @param writer who writes such files, for complaints
     * @throws IOException if it holds something else
     */
    Members object(String writer) throws IOException {
      if (!root.isJsonObject()) {
        throw notJson(path, "it is no object");
      }
      return new Members(path, writer, "", root.getAsJsonObject());
    }

    /**
     * The objects of the list that it holds.
     *
     * @param writer who writes such files, for complaints
     * @throws IOException if it holds something else
     */
    List<Members> objects(String writer) throws IOException {
      JsonObject around = new JsonObject();
      around.add("", root);
      return new Members(path, writer, "", around).objects("");
    }
  }

  private static JsonElement parse(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      // A report's directory has its figures beside the page.
      throw new IOException(
          "a directory, where a file of figures is needed; perhaps figures.json in it (file="
              + file
              + ")");
    }
    try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
        Reader text = new InputStreamReader(KeptFigures.plain(bytes), UTF_8.newDecoder());
        JsonReader json = new JsonReader(text)) {
      if (Files.isRegularFile(file) && Files.size(file) == 0) {
        throw notJson(file, "it is empty; was what should have written it interrupted?");
      }
      json.setStrictness(Strictness.STRICT);
      JsonElement element = JsonParser.parseReader(json);
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw notJson(file, "there is more behind its end");
      }
      return element;
    } catch (CharacterCodingException e) {
      throw notJson(file, "it is not UTF-8");
    } catch (JsonParseException e) {
      throw notJson(file, why(e.getCause() == null ? e : e.getCause()));
    } catch (MalformedJsonException | EOFException | ZipException e) {
      throw notJson(file, why(e));
    }
  }

  private static String why(Throwable failure) {
    if (failure instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    if (failure instanceof ZipException) {
      return "it is compressed, and damaged";
    }
    Matcher place = PLACE.matcher(String.valueOf(failure.getMessage()));
    return (failure instanceof EOFException ? "it ends too early" : "wrong")
        + (place.find() ? " at line " + place.group(1) + ", column " + place.group(2) : "")
        + "; give a file that 'arraywire bench --json' or 'bench keep' wrote";
  }

  private static IOException notJson(Path file, String why) {
    return new IOException("not JSON: " + why + " (file=" + file + ")");
  }

  boolean has(String name) {
    return get(name) != null;
  }

  String text(String name) throws IOException {
    return primitive(name, "text").getAsString();
  }

  /** A text, or another if it is not there. */
  String text(String name, String otherwise) throws IOException {
    return has(name) ? text(name) : otherwise;
  }

  /** A number; NaN where JSON has null. */
  double number(String name) throws IOException {
    JsonElement element = object.get(name);
    if (element != null && element.isJsonNull()) {
      return Double.NaN;
    }
    JsonPrimitive primitive = primitive(name, "number");
    if (!primitive.isNumber()) {
      throw wrong(name, "number");
    }
    return primitive.getAsDouble();
  }

  /** A list of lists of numbers. */
  List<double[]> table(String name) throws IOException {
    List<double[]> rows = new ArrayList<>();
    for (JsonElement row : array(name)) {
      if (!row.isJsonArray()) {
        throw wrong(name, "list of lists of numbers");
      }
      rows.add(numbers(name, row.getAsJsonArray()));
    }
    return rows;
  }

  /** A list of numbers. */
  double[] numbers(String name) throws IOException {
    return numbers(name, array(name));
  }

  private double[] numbers(String name, JsonArray array) throws IOException {
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = element(name, array.get(i));
    }
    return numbers;
  }

  private double element(String name, JsonElement element) throws IOException {
    if (!element.isJsonPrimitive()) {
      throw wrong(name, "list of numbers");
    }
    JsonPrimitive primitive = element.getAsJsonPrimitive();
    return primitive.isNumber() ? primitive.getAsDouble() : Double.NaN;
  }

  /** All members, which are texts. */
  Map<String, String> allTexts() throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : object.keySet()) {
      texts.put(name, text(name));
    }
    return texts;
  }

  long whole(String name) throws IOException {
    try {
      return primitive(name, "whole number").getAsLong();
    } catch (NumberFormatException e) {
      throw wrong(name, "whole number");
    }
  }

  @Nullable Boolean truthOrNull(String name) throws IOException {
    if (!has(name)) {
      return null;
    }
    JsonPrimitive primitive = primitive(name, "true or false");
    if (!primitive.isBoolean()) {
      throw wrong(name, "true or false");
    }
    return primitive.getAsBoolean();
  }

  Instant instant(String name) throws IOException {
    try {
      return Instant.parse(text(name));
    } catch (DateTimeException e) {
      throw wrong(name, "time");
    }
  }

  Members object(String name) throws IOException {
    JsonElement element = get(name);
    if (element == null || !element.isJsonObject()) {
      throw wrong(name, "object");
    }
    return new Members(file, writer, place + name + ".", element.getAsJsonObject());
  }

  List<Members> objects(String name) throws IOException {
    List<Members> members = new ArrayList<>();
    for (JsonElement each : array(name)) {
      if (!each.isJsonObject()) {
        throw wrong(name, "list of objects");
      }
      members.add(
          new Members(
              file, writer, place + name + "[" + members.size() + "].", each.getAsJsonObject()));
    }
    return members;
  }

  List<String> texts(String name) throws IOException {
    List<String> texts = new ArrayList<>();
    for (JsonElement each : array(name)) {
      if (!each.isJsonPrimitive()) {
        throw wrong(name, "list of texts");
      }
      texts.add(each.getAsString());
    }
    return texts;
  }

  private JsonArray array(String name) throws IOException {
    JsonElement element = get(name);
    if (element == null || !element.isJsonArray()) {
      throw wrong(name, "list");
    }
    return element.getAsJsonArray();
  }

  private JsonPrimitive primitive(String name, String kind) throws IOException {
    JsonElement element = get(name);
    if (element == null || !element.isJsonPrimitive()) {
      throw wrong(name, kind);
    }
    return element.getAsJsonPrimitive();
  }

  private @Nullable JsonElement get(String name) {
    JsonElement element = object.get(name);
    return element == null || element.isJsonNull() ? null : element;
  }

  /** What a member of this object has to be and is not. */
  IOException wrong(String name, String kind) {
    return new IOException(
        "not as "
            + writer
            + " writes it (member="
            + place
            + name
            + ", expected="
            + kind
            + ", file="
            + file
            + ")");
  }
}
