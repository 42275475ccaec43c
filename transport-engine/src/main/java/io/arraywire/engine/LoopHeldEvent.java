package io.arraywire.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** An event of the JDK Flight Recorder that belongs to no connection; see {@link LoopTurn}. */
@Name("io.arraywire.LoopHeld")
@Label("Loop Held")
@Description("A handler or a stage held up a thread that moves bytes for more than 10 ms")
@Category("Arraywire")
@StackTrace(false)
final class LoopHeldEvent extends Event {
  @Label("Held By")
  @Description("The handler or stage that ran")
  @Nullable String code;

  @Label("Held For")
  @Timespan(Timespan.NANOSECONDS)
  long held;
}
