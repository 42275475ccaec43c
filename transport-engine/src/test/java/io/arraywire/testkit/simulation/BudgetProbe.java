package io.arraywire.testkit.simulation;

import io.arraywire.engine.Engine;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/** Looks at what an engine has taken of its memory budget and of its limits, which no user can. */
final class BudgetProbe {
  private BudgetProbe() {}

  static long taken(Engine engine) {
    try {
      Object budget = call(call(engine, "context"), "budget");
      Field field = budget.getClass().getDeclaredField("taken");
      field.setAccessible(true);
      return field.getLong(budget);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the engine keeps its budget elsewhere now; look there", e);
    }
  }

  /** Which peers and sessions an engine counts; empty if none. */
  static String counted(Engine engine) {
    StringBuilder text = new StringBuilder();
    try {
      Object admission = call(call(engine, "context"), "admission");
      for (String name : List.of("connections", "handshakes", "sessions")) {
        Field field = admission.getClass().getDeclaredField(name);
        field.setAccessible(true);
        int count = field.getInt(admission);
        if (count != 0) {
          text.append(name).append('=').append(count).append(' ');
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the engine counts its peers elsewhere now; look there", e);
    }
    return text.toString();
  }

  private static Object call(Object on, String name) throws ReflectiveOperationException {
    Method method = on.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    return method.invoke(on);
  }
}
