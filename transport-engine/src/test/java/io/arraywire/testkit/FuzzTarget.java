package io.arraywire.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Fuzzes one target in this JVM: {@code FuzzTarget CLASS#METHOD SECONDS}, with {@code
 * JAZZER_FUZZ=1}. Jazzer takes a JVM for each target; {@code .ci/run} has two of these at a time.
 */
final class FuzzTarget {
  /** One execution that takes longer is a finding. */
  private static final int HANG_SECONDS = 60;

  private FuzzTarget() {}

  public static void main(String[] arguments) throws ClassNotFoundException {
    String[] target = arguments[0].split("#", -1);
    String here = FuzzTarget.class.getPackageName() + ".";
    Class<?> test = Class.forName(target[0].contains(".") ? target[0] : here + target[0]);
    Method method =
        Arrays.stream(test.getDeclaredMethods())
            .filter(each -> each.getName().equals(target[1]))
            .findAny()
            .orElseThrow();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(test, method))
            .configurationParameter("jazzer.internal.arg.0", "jazzer")
            .configurationParameter("jazzer.internal.arg.1", "-max_total_time=" + arguments[1])
            .configurationParameter("jazzer.internal.arg.2", "-timeout=" + HANG_SECONDS)
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true));
    boolean fuzzed = summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0;
    System.exit(fuzzed ? 0 : 1);
  }
}
