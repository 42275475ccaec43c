package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransportObserverTest {

  /** Also of an event that is new: one that is not passed on would be lost without a word. */
  @Test
  void allObserversAreToldOfEveryEvent() throws ReflectiveOperationException {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    TransportObserver all = TransportObserver.all(writingTo(first), writingTo(second));
    List<Method> events =
        Stream.of(TransportObserver.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .toList();
    for (Method event : events) {
      event.invoke(all, nothing(event));
    }
    assertThat(first)
        .isNotEmpty()
        .containsExactlyElementsOf(events.stream().map(Method::getName).toList());
    assertThat(second).isEqualTo(first);
  }

  private static TransportObserver writingTo(List<String> names) {
    return (TransportObserver)
        Proxy.newProxyInstance(
            TransportObserver.class.getClassLoader(),
            new Class<?>[] {TransportObserver.class},
            (proxy, method, arguments) -> {
              names.add(method.getName());
              return null;
            });
  }

  private static Object[] nothing(Method event) {
    return Stream.of(event.getParameterTypes())
        .map(type -> type == long.class ? (Object) 0L : null)
        .toArray();
  }
}
