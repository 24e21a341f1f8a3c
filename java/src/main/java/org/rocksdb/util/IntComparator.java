package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Keys are ints with sign, the highest byte first; native code compares. */
public final class IntComparator extends AbstractComparator {
  /**
   * An order.
   *
   * @param copt how keys are handed over
   */
  public IntComparator(final ComparatorOptions copt) {
    super(copt);
  }

  @Override
  public String name() {
    return "rocksdb.java.IntComparator";
  }

  @Override
  public int compare(final ByteBuffer a, final ByteBuffer b) {
    return Integer.compare(a.getInt(), b.getInt());
  }
}
