package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayInput;
import io.arraywire.ArrayOutput;
import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.TypedRequests;
import io.arraywire.TypedSends;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that docs/guide.md states: whatever takes a slice takes a whole array of each of the
 * eight types, and whatever takes a source takes a typed buffer and a message, too. All modules.
 */
class WholeArraysTest {
  private static final List<Class<?>> ARRAYS =
      Arrays.stream(ElementType.values())
          .filter(ElementType::isPrimitive)
          .<Class<?>>map(type -> type.newArray(0).getClass())
          .toList();

  /** Their element type is known at run time only, and so is the class of an array of theirs. */
  private static final Set<Class<?>> OF_ANY_TYPE = Set.of(RowWriter.class, RowReader.class);

  /** Halves of an interface: what users hold extends {@code TypedOutput} or {@code TypedInput}. */
  private static final Set<Class<?>> HALVES =
      Set.of(ArrayOutput.class, ArrayInput.class, TypedSends.class, TypedRequests.class);

  /** These take the bytes of one message or what has arrived, which a transport holds as slices. */
  private static final Set<String> OF_WHAT_ARRIVED = Set.of("Message.of", "PartTable.readInto");

  private static List<Class<?>> types() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    try (ZipInputStream jar = new ZipInputStream(outlines())) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        String name = entry.getName().replace('/', '.').replaceFirst("\\.class$", "");
        Class<?> type = Class.forName(name, false, WholeArraysTest.class.getClassLoader());
        if (Modifier.isPublic(type.getModifiers()) && !HALVES.contains(type)) {
          types.add(type);
        }
      }
    }
    return types;
  }

  private static InputStream outlines() throws Exception {
    return new ByteArrayInputStream(PublicApi.outline(PublicApiTest.MODULES));
  }

  private static boolean isThere(Class<?> type, Method method, int place, Class<?> elements) {
    Class<?>[] parameters = method.getParameterTypes().clone();
    parameters[place] = elements;
    try {
      return type.getMethod(method.getName(), parameters).getReturnType() == method.getReturnType();
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Test
  void whateverTakesASliceTakesAWholeArray() throws Exception {
    Set<String> holes = new TreeSet<>();
    Set<String> found = new TreeSet<>();
    for (Class<?> type : types()) {
      for (Method method : type.getMethods()) {
        List<Class<?>> parameters = Arrays.asList(method.getParameterTypes());
        boolean source = parameters.contains(ArraySource.class);
        int place = parameters.indexOf(source ? ArraySource.class : ArraySlice.class);
        String name = type.getSimpleName() + "." + method.getName();
        // A message as its parts have arrived; other methods of these names do not pass.
        boolean ofWhatArrived =
            OF_WHAT_ARRIVED.contains(name)
                && (type != Message.class || parameters.contains(ArrayAttributes.class));
        if (place < 0 || ofWhatArrived) {
          continue;
        }
        found.add(name);
        List<Class<?>> wanted = new ArrayList<>(ARRAYS);
        if (OF_ANY_TYPE.contains(type)) {
          wanted = List.of(Object.class);
        } else if (source) {
          wanted.add(Buffer.class);
          if (!parameters.contains(ArrayAttributes.class)) {
            wanted.add(Message.class);
          }
        }
        for (Class<?> each : wanted) {
          if (!isThere(type, method, place, each)) {
            holes.add(name + "(" + each.getSimpleName() + ")");
          }
        }
      }
    }
    assertThat(found)
        .contains(
            "ArraywireClient.call",
            "Connection.send",
            "Connection.publish",
            "LeasedArray.copyTo",
            "Message.with",
            "Reply.send",
            "RequestOptions.target",
            "RowWriter.write");
    assertThat(holes).isEmpty();
  }
}
