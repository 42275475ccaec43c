package io.arraywire.examples.cli;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts large arrays into files of a store as they arrive, without the heap in between. A file stays
 * hidden until the handler of its array names it. Any thread.
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

  private static final long NOT_KEPT = -1;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final ArrayStore store;
  private final ResumeDesk desk;
  private final LongSupplier nextNumber;
  private final BiFunction<Connection, Exception, ? extends IOException> failed;
  private final FilePlaces places = new FilePlaces(MOST, SHARE);
  private final BrokenOff brokenOff = new BrokenOff();

  /** Arrays that are whole, until their handler takes them: one for each channel at most. */
  private final Map<ChannelOf, Filled> whole = new ConcurrentHashMap<>();

  /**
   * An array whose elements are all in its hidden file.
   *
   * @param header type, shape, and byte order in the file
   * @param already how many of its elements were there before
   * @param writing the file
   */
  record Filled(NpyHeader header, long already, Writing writing) {}

  /**
   * Makes one.
   *
   * @param store has the files
   * @param desk has what is kept of files
   * @param nextNumber the number that the next array will have, as far as is known
   * @param failed told of each file that cannot be written; answers what its sender is told
   */
  StraightToFile(
      ArrayStore store,
      ResumeDesk desk,
      LongSupplier nextNumber,
      BiFunction<Connection, Exception, ? extends IOException> failed) {
    this.store = store;
    this.desk = desk;
    this.nextNumber = nextNumber;
    this.failed = failed;
  }

  /**
   * The sink for an array; null if it is to go over the heap.
   *
   * @throws IOException what its sender is told, if it is the rest of a file, and there is no place
   */
  @Nullable ArraySink sink(Connection connection, ArrayHeader header) throws IOException {
    long from = from(connection, header);
    if (wants(header, from) && places.take(connection)) {
      return new Sink(connection, header, from);
    }
    if (from != NOT_KEPT) {
      // Not written to by this array. When that has its name, what is kept goes.
      desk.drop(connection);
    }
    if (from > 0) {
      throw ArraywireException.refusal(
          "the receiver has no place for the rest of a file; send it again later", "from", from);
    }
    return null;
  }

  /** How many elements of its file are before an array; {@link #NOT_KEPT} if it is not kept. */
  private long from(Connection connection, ArrayHeader header) throws IOException {
    String from = header.attributes().metadata().get(ResumeQuestion.FROM);
    if (from == null) {
      return NOT_KEPT;
    }
    if (!NUMBER.matcher(from).matches()
        || header.attributes().metadata().get(TravelName.KEY) == null) {
      throw failed.apply(
          connection,
          new RefusedNameException(
              "an array that continues a file must carry the file's name and the number of elements before it",
              "from",
              from));
    }
    return Long.parseLong(from);
  }

  /** Whether an array goes straight into its file if there is a place for it. */
  boolean wants(ArrayHeader header) {
    return wants(header, NOT_KEPT);
  }

  private boolean wants(ArrayHeader header, long from) {
    long bytes = (long) header.count() * header.type().bytes();
    return store.hasFiles() && (bytes >= LEAST_BYTES || from > 0);
  }

  /** Whether a connection has as many arrays in flight as it may have. */
  boolean hasItsShare(Connection connection) {
    return places.hasItsShare(connection);
  }

  /** The array that is whole, to be given to {@link #end}; null if it went over the heap. */
  @Nullable Filled take(ChannelOf from) {
    return whole.remove(from);
  }

  /** Ends what was taken, and removes it if it has no name. */
  void end(Filled file) {
    brokenOff.ended(file.writing);
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

  /** Why a connection ended, and what stays of the files that it was sending. */
  IOException explain(Connection connection, ArraywireException cause) {
    return brokenOff.explain(connection, cause);
  }

  /** Drops what came whole of a connection that is closed, and frees its places. */
  void drop(Connection connection) {
    brokenOff.forget(connection);
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
    private final long from;
    private final long already;

    Sink(Connection connection, ArrayHeader header, long from) {
      this.connection = connection;
      this.header = header;
      this.from = from;
      already = Math.max(0, from);
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
      TravelName name = store.nameIn(header.attributes().metadata());
      ResumeDesk.Kept kept = kept(count);
      NpyHeader npy = kept == null ? shaped(count) : kept.question().header();
      Writing writing =
          store.begin(nextNumber.getAsLong(), name, npy.count() * header.type().bytes(), kept);
      try {
        TargetFile.start(writing.part(), writing.asked(), npy, already);
        long first = writing.part().channel().position() - already * header.type().bytes();
        brokenOff.began(connection, writing, first);
        return new Filling(
            npy, writing.part(), elements(writing, count, order), new Owner(writing));
      } catch (IOException e) {
        endEmpty(writing, e);
        throw writing.failed(e);
      } catch (RuntimeException | Error e) {
        endEmpty(writing, e);
        throw e;
      }
    }

    private void endEmpty(Writing writing, Throwable failure) {
      try {
        endEmpty(writing);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }

    private NpyHeader shaped(long count) {
      return NpyAttributes.header(
          header.type(), count, header.attributes(), ByteOrder.LITTLE_ENDIAN);
    }

    /** What to go on with; null if the file is not kept. */
    private ResumeDesk.@Nullable Kept kept(long count) throws IOException {
      if (from == NOT_KEPT) {
        return null;
      }
      TravelName named =
          TravelName.parse(String.valueOf(header.attributes().metadata().get(TravelName.KEY)));
      return from == 0
          ? desk.anew(connection, ResumeQuestion.of(named, shaped(count)))
          : desk.rest(connection, named, header.type(), from, count);
    }

    /** Ends a file of which nothing came: what was there before is all that can be kept. */
    private void endEmpty(Writing writing) throws IOException {
      if (already == 0) {
        brokenOff.ended(writing);
        writing.part().discard();
      }
      store.end(writing);
    }

    /** Turns them round where they come in another byte order. */
    private ElementWriter elements(Writing writing, long count, ByteOrder order)
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
      private final Writing writing;

      Owner(Writing writing) {
        this.writing = writing;
      }

      @Override
      public IOException failed(IOException failure) {
        return failed.apply(connection, writing.failed(failure));
      }

      @Override
      public void ended(Filling file, boolean isWhole) throws IOException {
        places.giveBack(connection);
        if (isWhole) {
          whole.put(new ChannelOf(connection, header), new Filled(file.header(), already, writing));
        } else if (file.arrived() == 0) {
          endEmpty(writing);
        } else {
          store.end(writing);
        }
      }
    }
  }
}
