package io.arraywire.examples.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which top-level type uses which, as class files say; nested types count with their outer one. */
final class TypeUse {
  private final Map<String, Set<String>> used = new TreeMap<>();

  private TypeUse() {}

  /** Of all types that were read, among themselves. */
  static TypeUse of(JavaClasses classes) {
    TypeUse all = new TypeUse();
    for (JavaClass type : classes) {
      Set<String> from = all.used.computeIfAbsent(outer(type), key -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (classes.contain(target.getName()) && !outer(target).equals(outer(type))) {
          from.add(outer(target));
        }
      }
    }
    return all;
  }

  private static String outer(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  Set<String> types() {
    return used.keySet();
  }

  /** What a type uses. */
  Set<String> of(String type) {
    return used.getOrDefault(type, Set.of());
  }

  /** The largest set of types of which each reaches each other one. */
  List<String> largestCircle() {
    return new Circles().largest();
  }

  /** Tarjan's algorithm (1972): strongly connected components in one depth-first pass. */
  private final class Circles {
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private List<String> largest = List.of();

    List<String> largest() {
      for (String type : types()) {
        if (!index.containsKey(type)) {
          visit(type);
        }
      }
      return largest;
    }

    private void visit(String type) {
      index.put(type, index.size());
      low.put(type, index.get(type));
      stack.push(type);
      for (String next : of(type)) {
        if (!index.containsKey(next)) {
          visit(next);
          low.merge(type, low.get(next), Math::min);
        } else if (stack.contains(next)) {
          low.merge(type, index.get(next), Math::min);
        }
      }
      if (low.get(type).equals(index.get(type))) {
        List<String> circle = new ArrayList<>();
        String last;
        do {
          last = stack.pop();
          circle.add(last);
        } while (!last.equals(type));
        if (circle.size() > largest.size()) {
          largest = List.copyOf(new TreeSet<>(circle));
        }
      }
    }
  }
}
