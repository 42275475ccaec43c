package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What takes a slice takes a whole array of each type, and does the same with it. */
class TypedOverloadsTest {
  private static final List<ElementType> PRIMITIVES =
      Arrays.stream(ElementType.values()).filter(ElementType::isPrimitive).toList();

  private static boolean takesElements(Class<?> parameter) {
    return parameter == ArraySlice.class || parameter == ArraySource.class;
  }

  private static List<Method> ofSlices(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getParameterCount() > 0)
        .filter(method -> takesElements(method.getParameterTypes()[0]))
        .toList();
  }

  private static Class<?>[] forArrays(Method method, ElementType element) {
    Class<?>[] parameters = method.getParameterTypes().clone();
    parameters[0] = element.newArray(0).getClass();
    return parameters;
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

  @Test
  void eachDoesWhatItsSliceDoes() throws Exception {
    for (Class<?> typed : List.of(TypedOutput.class, TypedInput.class)) {
      Class<?> type = typed == TypedOutput.class ? ArrayOutput.class : ArrayInput.class;
      for (Method method : ofSlices(type)) {
        for (ElementType element : PRIMITIVES) {
          List<Object> called = new ArrayList<>();
          InvocationHandler handler =
              (proxy, invoked, arguments) -> {
                if (invoked.equals(method)) {
                  called.addAll(Arrays.asList(arguments));
                  return invoked.getReturnType() == boolean.class ? true : null;
                }
                return InvocationHandler.invokeDefault(proxy, invoked, arguments);
              };
          Object proxy =
              Proxy.newProxyInstance(typed.getClassLoader(), new Class<?>[] {typed}, handler);
          Object array = element.newArray(3);
          @Nullable Object[] arguments = arguments(method);
          arguments[0] = array;
          var unused =
              typed
                  .getMethod(method.getName(), forArrays(method, element))
                  .invoke(proxy, arguments);
          ArraySlice slice = (ArraySlice) called.get(0);
          assertThat(slice.array()).as("%s", method).isSameAs(array);
          assertThat(slice.offset()).isZero();
          assertThat(slice.length()).isEqualTo(3);
          assertThat(called.subList(1, called.size()))
              .isEqualTo(Arrays.asList(arguments).subList(1, arguments.length));
        }
      }
    }
  }

  @Test
  void whatSendsASourceSendsABuffer() throws Exception {
    for (Method method : ofSlices(ArrayOutput.class)) {
      Class<?>[] parameters = method.getParameterTypes().clone();
      parameters[0] = Buffer.class;
      Method overload = TypedOutput.class.getMethod(method.getName(), parameters);
      assertThat(overload.getReturnType()).isEqualTo(method.getReturnType());
      assertThat(overload.getExceptionTypes())
          .containsExactlyInAnyOrder(method.getExceptionTypes());
    }
  }

  private static @Nullable Object[] arguments(Method method) {
    @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
    for (int i = 1; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      if (type == SendOptions.class) {
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

  @Test
  void whatPublishesASlicePublishesAWholeArray() throws Exception {
    for (Method method : ArrayPublisher.class.getMethods()) {
      Class<?>[] parameters = method.getParameterTypes().clone();
      if (parameters.length > 1 && parameters[1] == ArraySource.class) {
        for (ElementType element : ElementType.values()) {
          parameters[1] = element.newArray(0).getClass();
          assertThat(ArrayPublisher.class.getMethod(method.getName(), parameters)).isNotNull();
        }
      }
    }
    assertThat(ArrayPublisher.class.getDeclaredMethods()).hasSize(4 + 2 * 8);
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
