package org.rocksdb.util;

/** Checks of ranges. */
public class BufferUtil {
  /**
   * Whether a range lies within an array.
   *
   * @param offset where it begins
   * @param len its length
   * @param size the length of the array
   * @throws IndexOutOfBoundsException if it does not
   */
  public static void CheckBounds(final int offset, final int len, final int size) {
    if ((offset | len | (offset + len) | (size - (offset + len))) < 0) {
      throw new IndexOutOfBoundsException(
          String.format("offset(%d), len(%d), size(%d)", offset, len, size));
    }
  }
}
