package org.rocksdb.util;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes of text, and their order. */
public class ByteUtil {
  /**
   * Text as UTF-8.
   *
   * @param str the text
   * @return its bytes
   */
  public static byte[] bytes(final String str) {
    return str.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Compares the first bytes of two buffers, without sign, from index 0.
   *
   * @param x one
   * @param y the other
   * @param count how many bytes
   * @return less than, equal to, or greater than 0
   */
  public static int memcmp(final ByteBuffer x, final ByteBuffer y, final int count) {
    for (int idx = 0; idx < count; idx++) {
      final int aa = x.get(idx) & 0xff;
      final int bb = y.get(idx) & 0xff;
      if (aa != bb) {
        return aa - bb;
      }
    }
    return 0;
  }
}
