package io.arraywire.examples.npy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ElementType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a {@code .npy} file says of its array beside the elements, carried along on the wire: the
 * shape as {@linkplain ArrayAttributes#shape() shape}.
 *
 * <p>The byte order of the file is not carried: arrays are written little-endian. An array without
 * dimensions arrives with one dimension of 1, because an empty shape means "none given" on the
 * wire.
 */
public final class NpyAttributes {
  private NpyAttributes() {}

  /**
   * What to send along with an array.
   *
   * @param header its header
   * @return the attributes
   */
  public static ArrayAttributes of(NpyHeader header) {
    return ArrayAttributes.of(0, header.dimensions(), Map.of());
  }

  /**
   * The header under which to write an array that came, little-endian.
   *
   * @param array what its sender says of it; a shape that does not hold its elements counts as none
   * @return the header
   */
  public static NpyHeader header(ArrayHeader array) {
    return header(array.type(), array.count(), array.attributes(), ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The header under which to write an array that came.
   *
   * @param type its element type
   * @param count how many elements it has
   * @param attributes what its sender says of it; a shape that does not hold its elements counts as
   *     none
   * @param order the byte order of the elements in the file
   * @return the header
   */
  public static NpyHeader header(
      ElementType type, long count, ArrayAttributes attributes, ByteOrder order) {
    NpyDtype dtype = NpyDtype.of(type, order);
    List<Long> shape = new ArrayList<>();
    for (long dimension : attributes.shape()) {
      shape.add(dimension);
    }
    if (shape.isEmpty() || !attributes.shapeHolds(count)) {
      shape = List.of(count);
    }
    return new NpyHeader(dtype, shape);
  }
}
