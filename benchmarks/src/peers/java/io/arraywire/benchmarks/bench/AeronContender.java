package io.arraywire.benchmarks.bench;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Aeron. Elements go straight from the array into the log ({@code tryClaim}, which is for messages
 * that fit into a datagram; "Best Practices Guide" of aeron-io/aeron's wiki) and from the log into
 * the array, so nothing is put together from fragments, and no limit of a message's length is in
 * the way. The reserved value of a frame's header says where its elements belong. Exclusive
 * publications; terms of {@link #TERM_BYTES}, which stay in the cache. Idle strategies yield before
 * they park, as drivers and callers are more threads than there may be processors
 * (aeroncookbook.com, "How can I increase Aeron performance?"); the drivers have one thread each
 * for the same reason.
 *
 * <p>Over UDP each end has a driver, datagrams are as large as the loopback interface takes, and
 * window and socket buffers are as large as the system allows without being told, up to {@link
 * #WINDOW_BYTES}. Within the machine the receiver's driver serves both ends.
 *
 * @param udp whether over UDP, otherwise through shared memory
 */
record AeronContender(boolean udp) implements Contender {
  private static final int TERM_BYTES = 4 << 20;
  private static final int WINDOW_BYTES = 2 << 20;

  /** The most that Aeron takes, and less than the 65,536 bytes of the loopback interface. */
  private static final int DATAGRAM_BYTES = 65_504;

  private static final int DATA_STREAM = 1;
  private static final int ACK_STREAM = 2;
  private static final int FRAGMENTS = 16;

  @Override
  public String name() {
    return udp ? "aeron-udp" : "aeron-ipc";
  }

  @Override
  public String summary() {
    return udp
        ? "Aeron, UDP with datagrams of 64 KiB, a driver at each end"
        : "Aeron, shared memory, claims of 64 KiB";
  }

  /** Agrona takes the JDK's own Unsafe. */
  @Override
  public List<String> jvmOptions() {
    return List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
  }

  /** Not to be found through what carries TCP between hosts. */
  @Override
  public boolean acrossHosts() {
    return false;
  }

  /** Copies, of a class of its own: this one is loaded by JVMs that lack the option, too. */
  private static final class Memory {
    private static final long ELEMENTS_AT = UnsafeApi.arrayBaseOffset(float[].class);

    static void toLog(float[] source, int from, int count, long address) {
      UnsafeApi.copyMemory(source, at(from), null, address, (long) count * Float.BYTES);
    }

    static void fromLog(long address, float[] target, long from, int count) {
      Objects.checkFromIndexSize(from, count, target.length);
      UnsafeApi.copyMemory(null, address, target, at(from), (long) count * Float.BYTES);
    }

    private static long at(long index) {
      return ELEMENTS_AT + index * Float.BYTES;
    }
  }

  /** Polls, then yields for as long as something may come at once, then sleeps. */
  private static IdleStrategy idle() {
    return new BackoffIdleStrategy(20, 500, 1_000, 1_000_000);
  }

  /** Wakes up now and then only while others have their turn; a driver has to look about itself. */
  private record IdleInTurn(IdleStrategy inTurn) implements IdleStrategy {
    private static final long REST_NANOS = 20_000_000;

    @Override
    public void idle(int workCount) {
      if (workCount > 0 || Turn.isOurs()) {
        inTurn.idle(workCount);
      } else {
        idle();
      }
    }

    @Override
    public void idle() {
      if (Turn.isOurs()) {
        inTurn.idle();
      } else {
        LockSupport.parkNanos(REST_NANOS);
      }
    }

    @Override
    public void reset() {
      inTurn.reset();
    }
  }

  private static String directory(long number) {
    return Path.of(CommonContext.getAeronDirectoryName())
        .resolveSibling("arraywire-bench-aeron-" + number)
        .toString();
  }

  /** A driver of this process, and its client. */
  private Ends ends(long number) {
    MediaDriver driver =
        MediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(directory(number))
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new IdleInTurn(idle()))
                .termBufferSparseFile(false)
                .publicationTermBufferLength(TERM_BYTES)
                .ipcTermBufferLength(TERM_BYTES)
                .ipcMtuLength(DATAGRAM_BYTES));
    return new Ends(driver, client(number));
  }

  private static Aeron client(long number) {
    return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory(number)));
  }

  private static final class Ends implements AutoCloseable {
    private final @Nullable MediaDriver driver;
    private final Aeron client;
    private boolean hasFiles = true;

    Ends(@Nullable MediaDriver driver, Aeron client) {
      this.driver = driver;
      this.client = client;
    }

    /**
     * Deletes what is mapped into memory by now, since these processes will be killed. For the end
     * that the last acknowledged array tells that both have mapped everything.
     */
    void forgetFiles() {
      if (hasFiles) {
        hasFiles = false;
        IoUtil.delete(client.context().aeronDirectory(), true);
      }
    }

    @Override
    public void close() {
      CloseHelper.closeAll(client, driver);
    }
  }

  private String channel(int port) {
    if (!udp) {
      return CommonContext.IPC_CHANNEL;
    }
    return new ChannelUriStringBuilder()
        .media("udp")
        .endpoint("127.0.0.1:" + port)
        .mtu(DATAGRAM_BYTES)
        .termLength(TERM_BYTES)
        .socketSndbufLength(WINDOW_BYTES)
        .socketRcvbufLength(WINDOW_BYTES)
        .receiverWindowLength(WINDOW_BYTES)
        .build();
  }

  private static int port(Subscription subscription) throws IOException {
    IdleStrategy idle = idle();
    String endpoint = subscription.resolvedEndpoint();
    while (endpoint == null) {
      idle.idle();
      endpoint = subscription.resolvedEndpoint();
    }
    return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
  }

  private static long ownNumber() {
    return ProcessHandle.current().pid();
  }

  @Override
  public Receiver listen(float[] target) {
    Ends ends = ends(ownNumber());
    return new Receiving(ends, ends.client.addSubscription(channel(0), DATA_STREAM), target);
  }

  @Override
  public Sender connect(int port, float[] source) throws IOException {
    // The other end may be in this process, in a test.
    Ends ends = udp ? ends(-ownNumber()) : new Ends(null, client(port));
    return new Sending(
        ends,
        ends.client.addSubscription(channel(0), ACK_STREAM),
        ends.client.addExclusivePublication(channel(port), DATA_STREAM),
        source);
  }

  /** Waits for room, and claims it. */
  private static void claim(
      ExclusivePublication publication, int bytes, BufferClaim claim, IdleStrategy idle)
      throws IOException {
    idle.reset();
    while (true) {
      long position = publication.tryClaim(bytes, claim);
      if (position > 0) {
        return;
      }
      if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
        throw new IOException(
            "the other end is gone (position=" + Publication.errorString(position) + ")");
      }
      idle.idle();
    }
  }

  private final class Receiving implements Receiver {
    private final Ends ends;
    private final Subscription data;
    private final float[] target;
    private final IdleStrategy idle = idle();
    private final BufferClaim claim = new BufferClaim();
    private @Nullable ExclusivePublication acks;

    /** Elements of arrays that are not acknowledged. */
    private long filled;

    private final FragmentHandler take =
        (buffer, offset, length, header) -> {
          long where = header.reservedValue();
          if (where < 0) {
            answerTo((int) -where);
            return;
          }
          int count = length / Float.BYTES;
          Memory.fromLog(buffer.addressOffset() + offset, target(), where, count);
          filled += count;
        };

    Receiving(Ends ends, Subscription data, float[] target) {
      this.ends = ends;
      this.data = data;
      this.target = target;
    }

    private float[] target() {
      return target;
    }

    private void answerTo(int port) {
      acks = ends.client.addExclusivePublication(channel(port), ACK_STREAM);
    }

    @Override
    public int port() throws IOException {
      return udp ? AeronContender.port(data) : Math.toIntExact(ownNumber());
    }

    @Override
    public void serve(int count, Tally tally) throws IOException {
      idle.reset();
      boolean more = true;
      while (more) {
        int fragments = data.poll(take, FRAGMENTS);
        int arrays = Math.toIntExact(filled / count);
        ExclusivePublication to = acks;
        if (arrays > 0 && to != null) {
          filled %= count;
          claim(to, Integer.BYTES, claim, idle);
          claim.buffer().putInt(claim.offset(), arrays);
          claim.commit();
          if (udp) {
            ends.forgetFiles();
          }
          more = tally.add(arrays);
        }
        idle.idle(fragments);
      }
    }

    @Override
    public void close() {
      ends.close();
    }
  }

  private final class Sending implements Sender {
    private final Ends ends;
    private final Subscription acks;
    private final ExclusivePublication data;
    private final float[] source;
    private final IdleStrategy idle = idle();
    private final BufferClaim claim = new BufferClaim();
    private final int most;
    private long sent;
    private long acknowledged;
    private final FragmentHandler take =
        (buffer, offset, length, header) -> acknowledged += buffer.getInt(offset);

    Sending(Ends ends, Subscription acks, ExclusivePublication data, float[] source)
        throws IOException {
      this.ends = ends;
      this.acks = acks;
      this.data = data;
      this.source = source;
      most = data.maxPayloadLength() / Float.BYTES;
      // Where to answer to.
      put(0, 0, -(udp ? port(acks) : ACK_STREAM));
    }

    private void put(int from, int count, long where) throws IOException {
      claim(data, count * Float.BYTES, claim, idle);
      Memory.toLog(source, from, count, claim.buffer().addressOffset() + claim.offset());
      claim.reservedValue(where);
      claim.commit();
    }

    private void write(int count) throws IOException {
      for (int from = 0; from < count; from += most) {
        put(from, Math.min(most, count - from), from);
      }
      sent++;
    }

    private void await(long arrays) {
      idle.reset();
      while (acknowledged < arrays) {
        idle.idle(acks.poll(take, FRAGMENTS));
      }
      ends.forgetFiles();
    }

    @Override
    public void send(int count) throws IOException {
      write(count);
      await(sent);
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) throws IOException {
      long before = sent;
      while (more.getAsBoolean()) {
        await(sent + 1 - window);
        write(count);
      }
      await(sent);
      return sent - before;
    }

    @Override
    public void close() {
      ends.close();
    }
  }
}
