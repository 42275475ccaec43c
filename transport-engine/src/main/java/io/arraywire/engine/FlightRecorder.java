package io.arraywire.engine;

/** The JDK Flight Recorder, which a JVM may lack. Any thread. */
final class FlightRecorder {
  private FlightRecorder() {}

  /** Whether it is there, so that classes of events may be touched. */
  static boolean isPresent() {
    Module own = FlightRecorder.class.getModule();
    return ModuleLayer.boot().findModule("jdk.jfr").filter(own::canRead).isPresent();
  }

  /**
   * Tells it that users' code held up a thread that moves bytes.
   *
   * @param code the code
   * @param nanos for how long
   */
  static void loopHeld(Object code, long nanos) {
    if (isPresent()) {
      LoopHeldEvent event = new LoopHeldEvent();
      if (event.isEnabled()) {
        event.code = String.valueOf(code);
        event.held = nanos;
        event.commit();
      }
    }
  }
}
