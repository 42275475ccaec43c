package io.arraywire.examples.file;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A {@link FileReceiver} and its file, for tests. */
final class OneFile implements AutoCloseable {
  private final TargetFile target;
  private final FileReceiver receiver;
  private final FutureTask<ReceivedFile> received;

  OneFile(
      SocketAddress at,
      Path into,
      ReceiveTechnique technique,
      long maxArrayBytes,
      BlockingQueue<IOException> strangers,
      Patience patience)
      throws IOException {
    target = TargetFile.of(into);
    receiver =
        FileReceiver.listen(
            at, target, technique, maxArrayBytes, (peer, e) -> strangers.add(e), patience);
    received = new FutureTask<>(receiver::await);
    new Thread(received, "receiver").start();
  }

  OneFile(
      SocketAddress at,
      Path into,
      ReceiveTechnique technique,
      long maxArrayBytes,
      BlockingQueue<IOException> strangers)
      throws IOException {
    this(at, into, technique, maxArrayBytes, strangers, Patience.DEFAULT);
  }

  SocketAddress address() {
    return receiver.address();
  }

  boolean isDone() {
    return received.isDone();
  }

  /** The file, once it has come. */
  ReceivedFile stored() throws Exception {
    try {
      return received.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Override
  public void close() throws IOException {
    receiver.close();
    target.close();
  }
}
