package io.arraywire.benchmarks.bench;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.nio.NioTransport;
import java.net.InetSocketAddress;

/**
 * This library with every default. Small arrays are requests, which a handler answers. Larger ones
 * are sent, received into the array, and sent back. Python's end has the number of bytes up to
 * which an array is a request.
 */
record ArraywireMirror() implements PythonContender {

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public String summary() {
    return "Arraywire with every default: up to 4 KiB a request, larger arrays send and receiveInto";
  }

  @Override
  public String listen(Mirror mirror) throws Exception {
    Transport transport =
        NioTransport.create(ArraywireContender.options(mirror.array().length).build());
    Listener requests =
        transport.listen(
            Loopback.TCP.free(),
            Handlers.ofRequests((connection, request, reply) -> answer(request, reply, mirror)));
    Listener arrays = transport.listen(Loopback.TCP.free());
    MirrorProcess.start(() -> {
      try (Connection connection = arrays.accept()) {
        while (true) {
          ReceivedArray array = connection.receiveInto(mirror.array());
          connection.send(array.slice(), SendOptions.handedOff());
        }
      }
    });
    return port(requests) + " " + port(arrays);
  }

  /** The handler is given an array of its own; the mirror's is what is compared. */
  private static void answer(ReceivedArray request, Reply reply, Mirror mirror) {
    System.arraycopy(request.floats(), 0, mirror.array(), 0, request.count());
    reply.send(request.slice());
  }

  private static int port(Listener listener) {
    return ((InetSocketAddress) listener.address()).getPort();
  }
}
