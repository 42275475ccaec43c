package io.arraywire.testkit.simulation;

import io.arraywire.engine.Engine;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Looks at what an engine has taken of its memory budget, which no user can. */
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

  private static Object call(Object on, String name) throws ReflectiveOperationException {
    Method method = on.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    return method.invoke(on);
  }
}
