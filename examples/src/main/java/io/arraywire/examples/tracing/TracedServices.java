package io.arraywire.examples.tracing;

import io.arraywire.AnswerFunction;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One trace over two services, with the API of OpenTelemetry. A request carries the context of its
 * caller in its metadata, as strings with the names that the propagator gives them: {@code
 * traceparent} and {@code tracestate} of W3C Trace Context. A service in another language reads
 * them there.
 */
public final class TracedServices {
  private static final String NAME = "io.arraywire.examples";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Reads what a request carries. */
  private static final TextMapGetter<Map<String, String>> METADATA =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> metadata) {
          return metadata.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> metadata, String key) {
          return metadata == null ? null : metadata.get(key);
        }
      };

  private TracedServices() {}

  /**
   * Asks in a span of its own, whose context the request carries.
   *
   * @param telemetry what makes and takes spans
   * @param service the connection to the service
   * @param name what the span is called
   * @param request the array, with metadata or without
   * @return the answer
   * @throws ArraywireException if the call fails; the span has the exception, too
   * @throws InterruptedException if the thread is interrupted
   */
  @SuppressWarnings("try") // The scope is for what is called in it.
  public static ReceivedArray call(
      OpenTelemetry telemetry, Connection service, String name, Message request)
      throws ArraywireException, InterruptedException {
    Span span =
        telemetry.getTracer(NAME).spanBuilder(name).setSpanKind(SpanKind.CLIENT).startSpan();
    try (Scope unused = span.makeCurrent()) {
      Map<String, String> fields = new LinkedHashMap<>();
      telemetry
          .getPropagators()
          .getTextMapPropagator()
          .inject(Context.current(), fields, (into, key, value) -> fields.put(key, value));
      Message traced = request;
      for (Map.Entry<String, String> field : fields.entrySet()) {
        traced = traced.attribute(field.getKey(), field.getValue());
      }
      return service.call(traced, TIMEOUT);
    } catch (ArraywireException | InterruptedException | RuntimeException e) {
      span.recordException(e).setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }

  /**
   * Answers each request in a span whose parent is the span of the caller.
   *
   * @param telemetry what makes and takes spans
   * @param name what the spans are called
   * @param answer makes the answer; what it calls belongs to the same trace
   * @return a function for {@link Handlers#answering}
   */
  @SuppressWarnings("try") // The scope is for what is called in it.
  public static AnswerFunction<Message> traced(
      OpenTelemetry telemetry, String name, AnswerFunction<Message> answer) {
    return request -> {
      Context caller =
          telemetry
              .getPropagators()
              .getTextMapPropagator()
              .extract(Context.root(), request.message().attributes(), METADATA);
      Span span =
          telemetry
              .getTracer(NAME)
              .spanBuilder(name)
              .setParent(caller)
              .setSpanKind(SpanKind.SERVER)
              .setAttribute("arraywire.elements", request.count())
              .startSpan();
      try (Scope unused = span.makeCurrent()) {
        return answer.answer(request);
      } catch (Exception e) {
        span.recordException(e).setStatus(StatusCode.ERROR);
        throw e;
      } finally {
        span.end();
      }
    };
  }

  /**
   * Runs two services and asks the first one, which asks the second.
   *
   * @param telemetry what makes and takes spans
   * @return the answer: the sum of the squares of 3 and 4
   * @throws Exception if that fails
   */
  public static float askTwoServices(OpenTelemetry telemetry) throws Exception {
    AnswerFunction<Message> squares =
        traced(
            telemetry,
            "squares",
            request -> {
              float[] floats = request.floats();
              for (int i = 0; i < floats.length; i++) {
                floats[i] *= floats[i];
              }
              return Message.of(floats);
            });
    try (Listener store = NioTransport.listen("localhost:0", Handlers.answering(squares));
        Connection toStore = NioTransport.connect(store.address())) {
      AnswerFunction<Message> sum =
          traced(
              telemetry,
              "sum",
              request -> {
                float all = 0;
                for (float each :
                    call(telemetry, toStore, "ask for squares", Message.of(request.floats()))
                        .floats()) {
                  all += each;
                }
                return Message.of(new float[] {all});
              });
      try (Listener front = NioTransport.listen("localhost:0", Handlers.answering(sum));
          Connection toFront = NioTransport.connect(front.address())) {
        return call(telemetry, toFront, "ask for the sum", Message.of(new float[] {3, 4}))
            .floats()[0];
      }
    }
  }

  /**
   * The same with the telemetry of the process: that of the OpenTelemetry agent for Java, if it
   * runs, or none.
   *
   * @param arguments none
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(askTwoServices(GlobalOpenTelemetry.get()));
  }
}
