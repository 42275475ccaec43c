package io.arraywire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The classes for JMH run to their end, with small arrays and for no time that would measure. */
@Tag("ci")
class JmhClassesTest {
  @Test
  void allOfThemRun() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("io.arraywire.benchmarks.")
                    .forks(1)
                    .jvmArgsAppend("-Xmx256m", "-XX:TieredStopAtLevel=1")
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(20))
                    .param("contender", "nio")
                    .param("transport", "nio")
                    .param("mode", "framed")
                    .param("beside", "bulk")
                    .param("bulkElements", "65536")
                    .param("socketBufferBytes", "0")
                    .param("codec", "direct")
                    .param("type", "FLOAT")
                    .param("elements", "16")
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    assertThat(results)
        .extracting(
            result -> result.getParams().getBenchmark().replace("io.arraywire.benchmarks.", ""))
        .containsExactlyInAnyOrder(
            "CodecBenchmark.decode",
            "CodecBenchmark.encode",
            "GarbageBenchmark.offer",
            "GarbageBenchmark.send",
            "InterleavingBenchmark.send",
            "bench.ContenderBenchmark.send");
  }
}
