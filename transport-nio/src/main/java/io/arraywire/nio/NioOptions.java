package io.arraywire.nio;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/** Options that only the nonblocking transport has. Immutable; made with {@link #builder()}. */
public final class NioOptions {
  private static final NioOptions DEFAULTS = builder().build();

  private final int eventLoops;
  private final Supplier<WaitStrategy> waitStrategy;
  private final boolean arrayDirect;
  private final boolean unpacedLoopback;

  private NioOptions(Builder from) {
    eventLoops = from.eventLoops;
    waitStrategy = from.waitStrategy;
    arrayDirect = from.arrayDirect;
    unpacedLoopback = from.unpacedLoopback;
  }

  /**
   * Options with every default.
   *
   * @return the defaults
   */
  public static NioOptions defaults() {
    return DEFAULTS;
  }

  /**
   * A builder with every default.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The number of event loops, each a thread with a selector; a connection stays with one. Default:
   * half the processors, at least 1 and at most 8.
   *
   * @return the number
   */
  public int eventLoops() {
    return eventLoops;
  }

  /**
   * Makes the wait strategy of each event loop. Default: {@link WaitStrategy#adaptive} with 400
   * microseconds, which is some wake-ups in a row.
   *
   * @return called once for each loop
   */
  public Supplier<WaitStrategy> waitStrategy() {
    return waitStrategy;
  }

  /**
   * Whether large arrays are moved between their own memory and the kernel without staging, where
   * that is possible. It takes JDK 22 or later, Linux, and native access granted to this module. It
   * is for elements that go as they lie in memory, without checksums. {@link
   * io.arraywire.Connection#describe()} says whether it is so, and why not. Default: true.
   *
   * @return false if they are always staged
   */
  public boolean arrayDirect() {
    return arrayDirect;
  }

  /**
   * Whether TCP connections within this host use {@code reno} in place of BBR, which paces what it
   * sends. Paced, large arrays take up to twice as long, and pacing has no use within a host. A
   * connection is within this host if the peer's address is a loopback address or this end's own.
   * Some systems translate such addresses, as for services of a cluster. A peer on another host may
   * then look local: set false there.
   *
   * <p>It happens when 64 KiB or more are first written at once, on Linux. On JDK 22 or later it
   * needs native access for this module, as {@link #arrayDirect()} does. Any JDK can do it with
   * {@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED} (on the module path {@code
   * =io.arraywire.nio}). {@link io.arraywire.Connection#describe()} says what was done, or what is
   * missing. Default: true.
   *
   * @return false if every connection keeps what the system gives it
   */
  public boolean unpacedLoopback() {
    return unpacedLoopback;
  }

  /** Collects options. Not for use by several threads. */
  public static final class Builder {
    private int eventLoops =
        Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));
    private Supplier<WaitStrategy> waitStrategy =
        () -> WaitStrategy.adaptive(Duration.ofNanos(400_000));
    private boolean arrayDirect = true;
    private boolean unpacedLoopback = true;

    private Builder() {}

    /**
     * Sets {@link NioOptions#eventLoops()}.
     *
     * @param number 1 to 1,024
     * @return this
     */
    public Builder eventLoops(int number) {
      eventLoops = number;
      return this;
    }

    /**
     * Sets {@link NioOptions#waitStrategy()}.
     *
     * @param strategy makes a strategy for each loop
     * @return this
     */
    public Builder waitStrategy(Supplier<WaitStrategy> strategy) {
      waitStrategy = Objects.requireNonNull(strategy, "strategy");
      return this;
    }

    /**
     * Sets {@link NioOptions#arrayDirect()}.
     *
     * @param wanted whether arrays go without staging where they can
     * @return this
     */
    public Builder arrayDirect(boolean wanted) {
      arrayDirect = wanted;
      return this;
    }

    /**
     * Sets {@link NioOptions#unpacedLoopback()}.
     *
     * @param wanted whether connections within this host are kept from being paced
     * @return this
     */
    public Builder unpacedLoopback(boolean wanted) {
      unpacedLoopback = wanted;
      return this;
    }

    /**
     * Checks the values and makes the options.
     *
     * @return the options
     * @throws IllegalArgumentException if a value is out of its range
     */
    public NioOptions build() {
      if (eventLoops < 1 || eventLoops > 1024) {
        throw new IllegalArgumentException(
            "eventLoops is out of range (eventLoops=" + eventLoops + ", least=1, most=1024)");
      }
      return new NioOptions(this);
    }
  }
}
