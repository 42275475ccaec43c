package io.arraywire.engine;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the lock that must be held to touch a field or to call a method. Error Prone knows an
 * annotation of this name and checks it in the newer JDK's build; it does not reach class files, so
 * users need no library for it.
 */
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface GuardedBy {
  /**
   * The lock, as an expression in the scope of the class.
   *
   * @return for example {@code "lock"} or {@code "this"}
   */
  String value();
}
