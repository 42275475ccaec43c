package io.arraywire.examples.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One trace over two services, by what OpenTelemetry's own tracer has recorded. */
class TracedServicesTest {
  private final List<SpanData> ended = new CopyOnWriteArrayList<>();

  private final SdkTracerProvider tracers =
      SdkTracerProvider.builder()
          .addSpanProcessor(
              SimpleSpanProcessor.create(
                  new SpanExporter() {
                    @Override
                    public CompletableResultCode export(Collection<SpanData> spans) {
                      ended.addAll(spans);
                      return CompletableResultCode.ofSuccess();
                    }

                    @Override
                    public CompletableResultCode flush() {
                      return CompletableResultCode.ofSuccess();
                    }

                    @Override
                    public CompletableResultCode shutdown() {
                      return CompletableResultCode.ofSuccess();
                    }
                  }))
          .build();

  private final OpenTelemetry telemetry =
      new OpenTelemetry() {
        @Override
        public TracerProvider getTracerProvider() {
          return tracers;
        }

        @Override
        public ContextPropagators getPropagators() {
          return ContextPropagators.create(W3CTraceContextPropagator.getInstance());
        }
      };

  @AfterEach
  void close() {
    tracers.close();
  }

  @Test
  void oneTraceOverTwoServices() throws Exception {
    assertThat(TracedServices.askTwoServices(telemetry)).isEqualTo(25);
    assertThat(ended).hasSize(4);
    Map<String, SpanData> byName =
        ended.stream().collect(Collectors.toMap(SpanData::getName, Function.identity()));
    assertThat(ended).extracting(SpanData::getTraceId).containsOnly(ended.get(0).getTraceId());
    SpanData first = byName.get("ask for the sum");
    assertThat(first.getParentSpanContext().isValid()).isFalse();
    SpanData parent = first;
    for (String name : List.of("sum", "ask for squares", "squares")) {
      SpanData child = byName.get(name);
      assertThat(child.getParentSpanId()).as(name).isEqualTo(parent.getSpanId());
      parent = child;
    }
    // The metadata alone has brought it there: each service's parent is one of a remote process.
    assertThat(byName.get("sum").getParentSpanContext().isRemote()).isTrue();
    assertThat(byName.get("squares").getParentSpanContext().isRemote()).isTrue();
  }

  @Test
  void aRefusalIsInTheSpansOfBothSides() throws Exception {
    try (Listener listener =
            NioTransport.listen(
                "localhost:0",
                Handlers.answering(
                    TracedServices.traced(
                        telemetry,
                        "refuse",
                        request -> {
                          throw new IllegalStateException("no such table");
                        })));
        Connection connection = NioTransport.connect(listener.address())) {
      assertThatThrownBy(
              () -> TracedServices.call(telemetry, connection, "ask", Message.of(new float[] {1})))
          .isInstanceOf(RemoteRejectedException.class);
    }
    assertThat(ended).hasSize(2);
    assertThat(ended).allMatch(span -> span.getStatus().getStatusCode() == StatusCode.ERROR);
    assertThat(ended).allMatch(span -> span.getEvents().size() == 1);
    assertThat(ended).extracting(SpanData::getTraceId).containsOnly(ended.get(0).getTraceId());
  }

  @Test
  void withoutTelemetryItAnswersAllTheSame() throws Exception {
    assertThat(TracedServices.askTwoServices(OpenTelemetry.noop())).isEqualTo(25);
  }
}
