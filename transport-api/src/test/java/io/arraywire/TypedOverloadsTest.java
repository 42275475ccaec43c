package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.Buffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What takes a slice takes a whole array of each type, and does the same with it. {@code
 * WholeArraysTest} of the examples looks for holes in all modules.
 */
class TypedOverloadsTest {
  private static final List<ElementType> PRIMITIVES =
      Arrays.stream(ElementType.values()).filter(ElementType::isPrimitive).toList();

  private static boolean takesElements(Class<?> parameter) {
    return parameter == ArraySlice.class || parameter == ArraySource.class;
  }

  /** Which parameter has the elements; less than 0 if none has. */
  private static int place(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(TypedOverloadsTest::takesElements)
        .toList()
        .indexOf(true);
  }

  private static List<Method> ofSlices(Class<?> type) {
    return Arrays.stream(type.getMethods()).filter(method -> place(method) >= 0).toList();
  }

  private static Class<?>[] with(Method method, Class<?> elements) {
    Class<?>[] parameters = method.getParameterTypes().clone();
    parameters[place(method)] = elements;
    return parameters;
  }

  private static Class<?>[] forArrays(Method method, ElementType element) {
    return with(method, element.newArray(0).getClass());
  }

  @Test
  void thereIsNoHole() throws Exception {
    int overloads = 0;
    for (Class<?> type : List.of(ArrayOutput.class, ArrayInput.class)) {
      Class<?> typed = type == ArrayOutput.class ? TypedOutput.class : TypedInput.class;
      for (Method method : ofSlices(type)) {
        for (ElementType element : PRIMITIVES) {
          Method overload = typed.getMethod(method.getName(), forArrays(method, element));
          assertThat(overload.getReturnType()).isEqualTo(method.getReturnType());
          assertThat(overload.getExceptionTypes())
              .containsExactlyInAnyOrder(method.getExceptionTypes());
          overloads++;
        }
      }
      assertThat(typed.getMethods())
          .filteredOn(
              method -> method.getParameterCount() > 0 && method.getParameterTypes()[0].isArray())
          .hasSize(ofSlices(type).size() * PRIMITIVES.size());
    }
    assertThat(overloads).isEqualTo((10 + 4) * 8);
  }

  @Test
  void whatSendsASliceSendsAMessage() throws Exception {
    for (Method method : ofSlices(ArrayOutput.class)) {
      Class<?>[] parameters = method.getParameterTypes().clone();
      parameters[0] = Message.class;
      Method overload = ArrayOutput.class.getMethod(method.getName(), parameters);
      assertThat(overload.getReturnType()).isEqualTo(method.getReturnType());
      assertThat(overload.getExceptionTypes())
          .containsExactlyInAnyOrder(method.getExceptionTypes());
    }
    assertThat(ArrayOutput.class.getMethods())
        .filteredOn(method ->
            method.getParameterCount() > 0 && method.getParameterTypes()[0] == Message.class)
        .hasSize(10);
  }

  /** Of an interface the methods that take elements, and the one that has them for arrays, too. */
  static List<Arguments> interfaces() {
    return List.of(
        Arguments.of(ArrayOutput.class, TypedOutput.class, 10),
        Arguments.of(ArrayInput.class, TypedInput.class, 4),
        Arguments.of(Reply.class, Reply.class, 2),
        Arguments.of(ArrayPublisher.class, ArrayPublisher.class, 2),
        Arguments.of(LeasedArray.class, LeasedArray.class, 1));
  }

  @ParameterizedTest
  @MethodSource("interfaces")
  void eachDoesWhatItsSliceDoes(Class<?> type, Class<?> typed, int methods) throws Exception {
    assertThat(ofSlices(type)).hasSize(methods);
    for (Method method : ofSlices(type)) {
      for (ElementType element : PRIMITIVES) {
        Object array = element.newArray(3);
        ArraySlice slice = (ArraySlice) passedOn(method, typed, array, array.getClass());
        assertThat(slice.array()).as("%s", method).isSameAs(array);
        assertThat(slice.offset()).isZero();
        assertThat(slice.length()).isEqualTo(3);
      }
    }
  }

  /** What a method of slices gets if its overload is called; all other arguments are the same. */
  private static Object passedOn(Method method, Class<?> typed, Object given, Class<?> declared)
      throws Exception {
    List<Object> called = new ArrayList<>();
    InvocationHandler handler =
        (proxy, invoked, arguments) -> {
          if (invoked.equals(method)) {
            called.addAll(Arrays.asList(arguments));
            return invoked.getReturnType() == boolean.class ? true : null;
          }
          return InvocationHandler.invokeDefault(proxy, invoked, arguments);
        };
    Object proxy = Proxy.newProxyInstance(typed.getClassLoader(), new Class<?>[] {typed}, handler);
    @Nullable Object[] arguments = arguments(method);
    arguments[place(method)] = given;
    var unused = typed.getMethod(method.getName(), with(method, declared)).invoke(proxy, arguments);
    Object passed = called.set(place(method), given);
    assertThat(called).as("%s", method).isEqualTo(Arrays.asList(arguments));
    return passed;
  }

  @Test
  void aBufferIsPassedOnAsItsSource() throws Exception {
    for (Class<?> type : List.of(ArrayOutput.class, Reply.class, ArrayPublisher.class)) {
      Class<?> typed = type == ArrayOutput.class ? TypedOutput.class : type;
      for (Method method : ofSlices(type)) {
        LongBuffer buffer = LongBuffer.allocate(5).position(2);
        ArraySource source = (ArraySource) passedOn(method, typed, buffer, Buffer.class);
        assertThat(source.type()).as("%s", method).isEqualTo(ElementType.LONG);
        assertThat(source.count()).isEqualTo(3);
      }
    }
  }

  @Test
  void aTargetForAReplyIsASliceOfTheWholeArray() throws Exception {
    for (ElementType element : PRIMITIVES) {
      Object array = element.newArray(3);
      RequestOptions options = RequestOptions.defaults().tag(5);
      RequestOptions typed =
          (RequestOptions)
              RequestOptions.class.getMethod("target", array.getClass()).invoke(options, array);
      ArraySlice target = Objects.requireNonNull(typed.target());
      assertThat(target.array()).isSameAs(array);
      assertThat(target.offset()).isZero();
      assertThat(target.length()).isEqualTo(3);
      assertThat(typed.attributes().tag()).isEqualTo(5);
    }
  }

  private static @Nullable Object[] arguments(Method method) {
    @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      if (i == place(method)) {
        continue;
      } else if (type == String.class) {
        arguments[i] = "subject";
      } else if (type == ArrayAttributes.class) {
        arguments[i] = ArrayAttributes.tagged(3);
      } else if (type == SendOptions.class) {
        arguments[i] = SendOptions.processed().tag(4);
      } else if (type == RequestOptions.class) {
        arguments[i] = RequestOptions.defaults().tag(5);
      } else if (type == Duration.class) {
        arguments[i] = Duration.ofMillis(6);
      } else if (type == ArrayInfo.class) {
        arguments[i] = new ArrayInfo();
      } else {
        ArrayAction<ArrayInfo, RuntimeException> action = info -> {};
        arguments[i] = action;
      }
    }
    return arguments;
  }

  /** Methods for the eight primitive types, for messages and for buffers aside. */
  @Test
  void aConnectionFitsAPage() {
    List<String> methods =
        Arrays.stream(Connection.class.getMethods())
            .filter(method ->
                Arrays.stream(method.getParameterTypes())
                    .noneMatch(
                        type -> type.isArray() || type == Message.class || type == Buffer.class))
            .map(Method::getName)
            .toList();
    assertThat(methods).hasSizeLessThanOrEqualTo(40);
  }

  @Test
  void theSameArrayAgainIsTheSameSlice() {
    ArrayInfo info = new ArrayInfo();
    float[] array = new float[4];
    ArraySlice first = info.whole(array);
    assertThat(info.whole(array)).isSameAs(first);
    assertThat(info.whole(new float[4])).isNotSameAs(first);
  }
}
