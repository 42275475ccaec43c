package io.arraywire.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AcceptLimitsTest {
  static List<String> names() {
    return List.of(AcceptLimits.class.getRecordComponents()).stream()
        .map(RecordComponent::getName)
        .toList();
  }

  private static AcceptLimits changed(AcceptLimits from, String name, int number)
      throws ReflectiveOperationException {
    return (AcceptLimits) AcceptLimits.class.getMethod(name, int.class).invoke(from, number);
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachMethodChangesItsOwnLimitAndNoOther(String name) throws Exception {
    AcceptLimits changed = changed(AcceptLimits.defaults(), name, 7);
    for (RecordComponent each : AcceptLimits.class.getRecordComponents()) {
      Object before = each.getAccessor().invoke(AcceptLimits.defaults());
      assertThat(each.getAccessor().invoke(changed))
          .as(each.getName())
          .isEqualTo(each.getName().equals(name) ? 7 : before);
    }
    assertThat(changed).isNotEqualTo(AcceptLimits.defaults());
  }

  @ParameterizedTest
  @MethodSource("names")
  void noLimitIsLessThanOne(String name) {
    assertThatThrownBy(() -> changed(AcceptLimits.none(), name, 0))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name + "=0");
  }

  @ParameterizedTest
  @MethodSource("names")
  void noneIsTheLargestNumber(String name) throws Exception {
    assertThat(changed(AcceptLimits.none(), name, Integer.MAX_VALUE))
        .isEqualTo(AcceptLimits.none());
  }
}
