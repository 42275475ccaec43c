package io.arraywire.client;

import java.time.Duration;

/** The state of an address, and since when. Guarded by the lock of the address. */
final class StateWatch {
  private final ClientRuntime runtime;
  private AddressStatus.State state = AddressStatus.State.IDLE;
  private long begin;

  StateWatch(ClientRuntime runtime) {
    this.runtime = runtime;
    begin = runtime.nanoTime();
  }

  void is(AddressStatus.State now) {
    if (now != state) {
      state = now;
      begin = runtime.nanoTime();
    }
  }

  AddressStatus.State state() {
    return state;
  }

  Duration since() {
    return Duration.ofNanos(runtime.nanoTime() - begin);
  }
}
