package io.arraywire;

import io.arraywire.spi.MessageText;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** A value for each {@link Option}. Not for use by several threads while it changes. */
final class OptionValues {
  private final @Nullable Object[] values;

  private OptionValues(@Nullable Object[] values) {
    this.values = values;
  }

  static OptionValues defaults() {
    return new OptionValues(Option.all().stream().map(option -> option.standard).toArray());
  }

  OptionValues copy() {
    return new OptionValues(values.clone());
  }

  /** The value of an option that is never null. */
  <T> T get(Option<T> option) {
    return Objects.requireNonNull(orNull(option));
  }

  /** The value of an option that may be null. */
  @SuppressWarnings("unchecked") // Only set puts values in.
  <T> @Nullable T orNull(Option<T> option) {
    return (T) values[option.index];
  }

  <T> void set(Option<T> option, @Nullable T value) {
    values[option.index] = option.mayBeNull() ? value : Objects.requireNonNull(value, option.name);
  }

  /** Throws IllegalArgumentException if a value is out of its range, or does not go with others. */
  void check() {
    Option.all().forEach(this::check);
    long budget = get(Option.MEMORY_BUDGET_BYTES);
    if (budget != 0) {
      // Less would refuse every connection.
      int inboxes = Math.max(get(Option.CONNECTION_INBOX_BYTES), get(Option.INBOX_BYTES));
      OptionRange.checkLeast(Option.MEMORY_BUDGET_BYTES.name, budget, (long) inboxes);
    }
    if (orNull(Option.PLAIN_TYPE) != null) {
      checkPlain();
    }
  }

  /** What plain mode has no handshake for must not be left out in silence. */
  private void checkPlain() {
    checkNotPlain(Option.SESSION_TIMEOUT, "plain mode has no sessions; leave sessionTimeout out");
    checkNotPlain(
        Option.AUTH_TOKEN, "plain mode has no handshake that shows a token; leave authToken out");
    checkNotPlain(
        Option.AUTHENTICATOR,
        "plain mode has no handshake to authenticate in; leave authenticator out");
  }

  private <T> void checkNotPlain(Option<T> option, String why) {
    T value = orNull(option);
    if (value != null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              why + ", or use framed mode",
              Option.PLAIN_TYPE.name,
              get(Option.PLAIN_TYPE),
              option.name,
              option.text(value)));
    }
  }

  private <T> void check(Option<T> option) {
    T value = orNull(option);
    if (value != null) {
      option.check(value);
    }
  }

  /** The options that differ from the defaults, as {@code name=value}. */
  @Override
  public String toString() {
    StringJoiner all = new StringJoiner(", ", "TransportOptions(", ")");
    all.setEmptyValue("TransportOptions(defaults)");
    Option.all().forEach(option -> add(all, option));
    return all.toString();
  }

  private <T> void add(StringJoiner all, Option<T> option) {
    T value = orNull(option);
    if (!Objects.equals(value, option.standard)) {
      all.add(option.name + "=" + (value == null ? null : option.text(value)));
    }
  }
}
