package io.arraywire.source;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The elements of arrays one after the other. Immutable; the arrays are shared. */
final class RowElements implements ArraySource {
  private final ElementType type;
  private final ArraySlice[] rows;
  private final long count;

  private RowElements(ElementType type, ArraySlice[] rows, long count) {
    this.type = type;
    this.rows = rows;
    this.count = count;
  }

  static ArraySource of(Object[] table) {
    if (Objects.requireNonNull(table, "rows").length == 0) {
      throw new IllegalArgumentException("no rows, so no element type; send an empty array");
    }
    ArraySlice[] rows = new ArraySlice[table.length];
    long count = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = ArraySlice.ofArray(Objects.requireNonNull(table[i], "row"));
      if (rows[i].type() != rows[0].type()) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "all rows must have one element type",
                "first",
                rows[0].type().typeName(),
                "type",
                rows[i].type().typeName(),
                "row",
                i));
      }
      count += rows[i].length();
    }
    return new RowElements(rows[0].type(), rows, count);
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public ElementReader open() {
    return new Reader(rows);
  }

  @Override
  public String toString() {
    return rows.length + " rows of " + count + " elements (" + type.typeName() + ")";
  }

  /** Remembers the row that it has come to. */
  private static final class Reader implements ElementReader {
    private final ArraySlice[] rows;
    private int row;

    /** The first element of that row. */
    private long begin;

    Reader(ArraySlice[] rows) {
      this.rows = rows;
    }

    @Override
    public void read(long index, int count, ByteBuffer target) {
      if (index < begin) {
        row = 0;
        begin = 0;
      }
      long at = index;
      int left = count;
      while (left > 0) {
        ArraySlice here = rows[row];
        int skip = (int) Math.min(at - begin, here.length());
        int some = Math.min(left, here.length() - skip);
        if (some > 0) {
          BulkElements.put(here.type(), here.array(), skip, some, target, target.order());
          at += some;
          left -= some;
        }
        if (left > 0) {
          begin += here.length();
          row++;
        }
      }
    }
  }
}
