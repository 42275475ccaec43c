package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayFlows;
import io.arraywire.ArraySlice;
import io.arraywire.ArraySubscriber;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.SubscriberWhiteboxVerification.SubscriberPuppet;
import org.reactivestreams.tck.SubscriberWhiteboxVerification.WhiteboxSubscriberProbe;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.reactivestreams.tck.flow.FlowSubscriberWhiteboxVerification;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;

/**
 * The test suite of Reactive Streams over both ends of a stream. It is written for TestNG; JUnit
 * calls its methods here, so that it runs with all other tests.
 */
class ReactiveStreamsTest {
  /** For a signal that must come; generous, since it costs nothing when it comes. */
  private static final long SIGNAL_MILLIS = 10_000;

  /** For a signal that must not come; every test that looks for one takes so long. */
  private static final long SILENCE_MILLIS = 100;

  private static final int ELEMENTS = 16;

  private static ExecutorService threads;
  private static InMemoryTransport transport;
  private static Listener listener;

  @BeforeAll
  static void listen() throws Exception {
    threads =
        Executors.newCachedThreadPool(task -> {
          Thread thread = new Thread(task, "reactive-streams");
          thread.setDaemon(true);
          return thread;
        });
    transport = InMemoryTransport.create(TransportOptions.defaults());
    listener = transport.listen(MemoryAddress.free());
  }

  @AfterAll
  static void close() {
    transport.close();
    threads.shutdownNow();
  }

  @TestFactory
  Stream<DynamicTest> publisher() {
    return tests(PublisherRules::new, 31);
  }

  @TestFactory
  Stream<DynamicTest> subscriberFromOutside() {
    return tests(SubscriberRules::new, 11);
  }

  @TestFactory
  Stream<DynamicTest> subscriberFromInside() {
    return tests(SubscriberInnerRules::new, 14);
  }

  /**
   * Every rule's test, each on a suite of its own. A test may find that its rule does not apply,
   * unless the rule is required.
   */
  private static Stream<DynamicTest> tests(Supplier<Object> suites, int atLeast) {
    List<Method> rules =
        Arrays.stream(suites.get().getClass().getMethods())
            .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
            // Rules that no test can check; these methods only say so.
            .filter(method -> !method.getName().startsWith("untested_"))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    assertThat(rules).as("tests of the suite").hasSizeGreaterThanOrEqualTo(atLeast);
    return rules.stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> check(suites, rule)));
  }

  private static void check(Supplier<Object> suites, Method rule) throws Throwable {
    try {
      check(suites.get(), rule);
    } catch (AssertionError e) {
      // It asks for what the collector did, which may leave an object for the next time.
      if (!rule.getName().contains("spec313")) {
        throw e;
      }
      check(suites.get(), rule);
    }
  }

  private static void check(Object suite, Method rule) throws Throwable {
    callThose(suite, BeforeClass.class);
    callThose(suite, BeforeMethod.class);
    try {
      rule.invoke(suite);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SkipException skipped) {
        assertThat(rule.getName()).as(skipped.getMessage()).doesNotStartWith("required_");
        throw new TestAbortedException(skipped.getMessage(), skipped);
      }
      throw e.getCause();
    } finally {
      callThose(suite, AfterClass.class);
    }
  }

  private static void callThose(Object suite, Class<? extends Annotation> annotation)
      throws ReflectiveOperationException {
    for (Method method : suite.getClass().getMethods()) {
      if (method.isAnnotationPresent(annotation)) {
        method.invoke(suite);
      }
    }
  }

  private static TestEnvironment environment() {
    return new TestEnvironment(SIGNAL_MILLIS, SILENCE_MILLIS, SILENCE_MILLIS);
  }

  /** Two connected ends, the sending and the receiving one. */
  private static synchronized List<Connection> ends() {
    try {
      Connection connection = transport.connect(listener.address());
      return List.of(connection, listener.accept());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void sendAndClose(Connection connection, long elements) {
    try {
      for (long i = 0; i < elements; i++) {
        connection.send(ArraySlice.of(new long[ELEMENTS]), SendOptions.handedOff().tag(i));
      }
      connection.close();
    } catch (Exception e) {
      // The test has what it wants, and the transport was closed.
    }
  }

  private static void receiveAll(Connection connection) {
    try {
      while (true) {
        connection.receive();
      }
    } catch (Exception e) {
      // As above.
    }
  }

  /** What a connection receives that another end sends. */
  static final class PublisherRules extends FlowPublisherVerification<ReceivedArray> {
    PublisherRules() {
      super(environment(), SIGNAL_MILLIS);
    }

    @Override
    public Flow.Publisher<ReceivedArray> createFlowPublisher(long elements) {
      List<Connection> ends = ends();
      threads.execute(() -> sendAndClose(ends.get(0), elements));
      return ArrayFlows.publisher(ends.get(1), threads);
    }

    /** One that has its subscriber. */
    @Override
    public Flow.Publisher<ReceivedArray> createFailedFlowPublisher() {
      Flow.Publisher<ReceivedArray> publisher = createFlowPublisher(1);
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {}

            @Override
            public void onNext(ReceivedArray array) {}

            @Override
            public void onError(Throwable thrown) {}

            @Override
            public void onComplete() {}
          });
      return publisher;
    }

    /** What is requested in {@code onNext} comes when that has returned. */
    @Override
    public long boundedDepthOfOnNextAndRequestRecursion() {
      return 1;
    }
  }

  private static ArraySubscriber subscriber(int window) {
    List<Connection> ends = ends();
    threads.execute(() -> receiveAll(ends.get(1)));
    return ArrayFlows.subscriber(ends.get(0), SendOptions.processed(), window);
  }

  /** A connection that sends, looked at from outside. */
  static final class SubscriberRules extends FlowSubscriberBlackboxVerification<ArraySlice> {
    SubscriberRules() {
      super(environment());
    }

    @Override
    public Flow.Subscriber<ArraySlice> createFlowSubscriber() {
      return subscriber(2);
    }

    @Override
    public ArraySlice createElement(int element) {
      return ArraySlice.of(new int[] {element});
    }
  }

  /** The same with a probe in it. */
  static final class SubscriberInnerRules extends FlowSubscriberWhiteboxVerification<ArraySlice> {
    SubscriberInnerRules() {
      super(environment());
    }

    @Override
    protected Flow.Subscriber<ArraySlice> createFlowSubscriber(
        WhiteboxSubscriberProbe<ArraySlice> probe) {
      ArraySubscriber inner = subscriber(1);
      return new Flow.Subscriber<>() {
        private final List<Flow.Subscription> subscriptions = new ArrayList<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
          inner.onSubscribe(subscription);
          subscriptions.add(subscription);
          if (subscriptions.size() > 1) {
            return;
          }
          probe.registerOnSubscribe(
              new SubscriberPuppet() {
                @Override
                public void triggerRequest(long elements) {
                  subscription.request(elements);
                }

                @Override
                public void signalCancel() {
                  subscription.cancel();
                }
              });
        }

        @Override
        public void onNext(ArraySlice slice) {
          inner.onNext(slice);
          probe.registerOnNext(slice);
        }

        @Override
        public void onError(Throwable thrown) {
          inner.onError(thrown);
          probe.registerOnError(thrown);
        }

        @Override
        public void onComplete() {
          inner.onComplete();
          probe.registerOnComplete();
        }
      };
    }

    @Override
    public ArraySlice createElement(int element) {
      return ArraySlice.of(new int[] {element});
    }
  }
}
