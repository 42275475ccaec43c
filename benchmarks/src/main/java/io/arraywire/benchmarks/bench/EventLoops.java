package io.arraywire.benchmarks.bench;

import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioOptions;
import io.arraywire.nio.NioTransport;

/**
 * The nonblocking transport as an application uses it that has no thread for each of its many
 * connections: {@code sendAsync}, whose stage sends the next array, and a handler that names the
 * array to fill.
 *
 * @param name what it is called
 * @param summary what it does
 * @param nioOptions how many event loops there are
 * @param onLoop whether handlers and stages run where the array or its acknowledgement arrived
 */
record EventLoops(String name, String summary, NioOptions nioOptions, boolean onLoop)
    implements ConnectionsContender {

  static EventLoops ofDefault() {
    NioOptions defaults = NioOptions.builder().build();
    return new EventLoops(
        "nio",
        "nonblocking transport, every default, so here event loops at each end: "
            + defaults.eventLoops(),
        defaults,
        false);
  }

  static EventLoops ofNonBlocking() {
    return new EventLoops(
        "nio-on-loop",
        "the same with handlers and stages that run on the event loop, because they do not block",
        NioOptions.builder().build(),
        true);
  }

  static EventLoops of(int loops) {
    return new EventLoops(
        "nio-" + loops + (loops == 1 ? "-loop" : "-loops"),
        "the same with event loops at each end: " + loops,
        NioOptions.builder().eventLoops(loops).build(),
        false);
  }

  private Transport transport(int elements) {
    TransportOptions options = ManyConnections.options(elements);
    return NioTransport.create(options.toBuilder().stagesOnLoop(onLoop).build(), nioOptions);
  }

  @Override
  public Receiver listen(Targets targets) throws Exception {
    Transport transport = transport(targets.count());
    TargetsHandler handler = new TargetsHandler(targets);
    Handlers handlers = Handlers.ofArrays(handler).withTargets(handler);
    Listener listener =
        transport.listen(Loopback.TCP.free(), onLoop ? handlers.onLoop() : handlers);
    return Receiver.of(listener, transport::close);
  }

  @Override
  public Sender connect(int port, float[][] sources) throws Exception {
    return new AsyncSender(
        ManyConnections.connect(transport(sources[0].length), port, sources.length), sources);
  }
}
