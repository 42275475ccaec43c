package io.arraywire.examples.cli;

import io.arraywire.ArrayHeader;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.examples.file.Filling;
import io.arraywire.examples.file.TargetFile;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Large arrays on their way into files of a store, without the heap in between. A file stays hidden
 * until the handler of its array names it. Any thread.
 */
final class StraightToFile {
  /**
   * Smaller ones are on the heap for a moment only, and keep no thread that reads from its work.
   */
  static final long LEAST_BYTES = 1 << 20;

  /**
   * So many at a time: each has an open file, and a peer that declares an array may send nothing of
   * it. Further ones go over the heap.
   */
  static final int MOST = 64;

  /** So many of them from one connection. */
  static final int SHARE = 8;

  private final ArrayStore store;
  private final LongSupplier nextNumber;
  private final BiFunction<Connection, Exception, ? extends IOException> failed;
  private final FilePlaces places = new FilePlaces(MOST, SHARE);

  /** Arrays that are whole, until their handler takes them: one for each channel at most. */
  private final Map<ChannelOf, Filled> whole = new ConcurrentHashMap<>();

  /**
   * An array whose elements are all in its hidden file.
   *
   * @param header type, shape, and byte order in the file
   * @param writing the file
   */
  record Filled(NpyHeader header, ArrayStore.Writing writing) {}

  /**
   * Makes one.
   *
   * @param store has the files
   * @param nextNumber the number that the next array will have, as far as is known
   * @param failed told of each file that cannot be written; answers what its sender is told
   */
  StraightToFile(
      ArrayStore store,
      LongSupplier nextNumber,
      BiFunction<Connection, Exception, ? extends IOException> failed) {
    this.store = store;
    this.nextNumber = nextNumber;
    this.failed = failed;
  }

  /** The sink for an array; null if it is to go over the heap. */
  @Nullable ArraySink sink(Connection connection, ArrayHeader header) {
    return wants(header) && places.take(connection) ? new Sink(connection, header) : null;
  }

  /** Whether an array goes straight into its file if there is a place for it. */
  boolean wants(ArrayHeader header) {
    long bytes = (long) header.count() * header.type().bytes();
    return store.hasFiles() && bytes >= LEAST_BYTES && header.attributes().parts() == null;
  }

  /** Whether a connection has as many arrays on their way as it may have. */
  boolean hasItsShare(Connection connection) {
    return places.hasItsShare(connection);
  }

  /** The array that is whole, to be given to {@link #end}; null if it went over the heap. */
  @Nullable Filled take(ChannelOf from) {
    return whole.remove(from);
  }

  /** Ends what was taken, and removes it if it has no name. */
  void end(Filled file) {
    try {
      store.end(file.writing);
    } catch (IOException e) {
      // It stays under its hidden name, which cannot be taken for an array.
    }
  }

  /** Removes what came whole of a channel and was not taken: its array was dropped. */
  void drop(ChannelOf from) {
    Filled file = take(from);
    if (file != null) {
      end(file);
    }
  }

  /** Does so for all channels of a connection that is closed, and frees its places. */
  void drop(Connection connection) {
    for (ChannelOf each : whole.keySet()) {
      if (each.connection().equals(connection)) {
        drop(each);
      }
    }
    places.giveBackAll(connection);
  }

  private final class Sink implements ArraySink {
    private final Connection connection;
    private final ArrayHeader header;

    Sink(Connection connection, ArrayHeader header) {
      this.connection = connection;
      this.header = header;
    }

    @Override
    public ElementType type() {
      return header.type();
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) throws IOException {
      boolean opened = false;
      try {
        ElementWriter filling = begin(count, order);
        opened = true;
        return filling;
      } catch (IOException | RuntimeException e) {
        throw failed.apply(connection, e);
      } finally {
        if (!opened) {
          places.giveBack(connection);
        }
      }
    }

    private ElementWriter begin(long count, ByteOrder order) throws IOException {
      NpyHeader npy =
          NpyAttributes.header(header.type(), count, header.attributes(), ByteOrder.LITTLE_ENDIAN);
      ArrayStore.Writing writing =
          store.begin(
              nextNumber.getAsLong(),
              store.nameIn(header.attributes().metadata()),
              count * header.type().bytes());
      try {
        TargetFile.start(writing.part(), writing.asked(), npy);
        return new Filling(
            npy, writing.part(), elements(writing, count, order), new Owner(writing));
      } catch (IOException e) {
        store.end(writing);
        throw ArrayStore.failed(writing, e);
      } catch (RuntimeException | Error e) {
        store.end(writing);
        throw e;
      }
    }

    /** Turns them round where they come in another byte order. */
    private ElementWriter elements(ArrayStore.Writing writing, long count, ByteOrder order)
        throws IOException {
      return ArraySink.file(
              writing.part().channel(),
              writing.part().channel().position(),
              header.type(),
              ByteOrder.LITTLE_ENDIAN,
              count)
          .open(count, order);
    }

    private final class Owner implements Filling.Owner {
      private final ArrayStore.Writing writing;

      Owner(ArrayStore.Writing writing) {
        this.writing = writing;
      }

      @Override
      public IOException failed(IOException failure) {
        return failed.apply(connection, ArrayStore.failed(writing, failure));
      }

      @Override
      public void ended(Filling file, boolean isWhole) throws IOException {
        places.giveBack(connection);
        if (isWhole) {
          whole.put(new ChannelOf(connection, header), new Filled(file.header(), writing));
        } else {
          store.end(writing);
        }
      }
    }
  }
}
