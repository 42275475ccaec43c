package io.arraywire.benchmarks.network;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of a container, whose standard streams are attached to this one's. Its standard input
 * ends when this JVM does, however that ends, and so does what has a {@code CommandLoop}.
 */
final class ContainerProcess extends Process {
  private static final long ATTACH_SECONDS = 30;

  /** What a shell says of a process that was killed; the engine no longer knows. */
  private static final int KILLED = 137;

  private final ByteStream in = new ByteStream();
  private final ByteStream out = new ByteStream();
  private final ByteStream err = new ByteStream();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Attachment attachment = new Attachment();
  private @Nullable DockerClient client;
  private @Nullable JvmContainer container;

  /** Takes the streams of a container that was created and not yet started. */
  void attach(DockerClient engine, JvmContainer created, String id) throws IOException {
    client = engine;
    container = created;
    engine
        .attachContainerCmd(id)
        .withStdIn(in.in())
        .withStdOut(true)
        .withStdErr(true)
        .withFollowStream(true)
        .exec(attachment);
    try {
      if (!attachment.awaitStarted(ATTACH_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the engine does not attach to a container (container=" + id + ")");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a container was started");
    }
  }

  /** Takes what the engine sends of both streams. */
  private final class Attachment extends ResultCallback.Adapter<Frame> {
    @Override
    public void onNext(Frame frame) {
      (frame.getStreamType() == StreamType.STDERR ? err : out).add(frame.getPayload());
    }

    @Override
    public void onComplete() {
      end();
      super.onComplete();
    }

    @Override
    public void onError(Throwable failure) {
      end();
      super.onError(failure);
    }
  }

  private void end() {
    out.end();
    err.end();
    ended.countDown();
  }

  @Override
  public OutputStream getOutputStream() {
    return in.out();
  }

  @Override
  public InputStream getInputStream() {
    return out.in();
  }

  @Override
  public InputStream getErrorStream() {
    return err.in();
  }

  @Override
  public int waitFor() throws InterruptedException {
    ended.await();
    return status();
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    return ended.await(timeout, unit);
  }

  @Override
  public int exitValue() {
    if (ended.getCount() > 0) {
      throw new IllegalThreadStateException("the container has not ended");
    }
    return status();
  }

  private int status() {
    DockerClient engine = client;
    JvmContainer created = container;
    if (engine == null || created == null) {
      return KILLED;
    }
    try {
      ContainerState state = engine.inspectContainerCmd(created.getContainerId()).exec().getState();
      Long status = state.getExitCodeLong();
      return status == null ? KILLED : status.intValue();
    } catch (NotFoundException e) {
      return KILLED;
    }
  }

  @Override
  public void destroy() {
    in.end();
    JvmContainer created = container;
    if (created != null) {
      created.stop();
    }
  }
}
