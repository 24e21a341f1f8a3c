package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** The engine's own order, backwards; native code compares. */
public final class ReverseBytewiseComparator extends AbstractComparator {
  /**
   * An order.
   *
   * @param copt how keys are handed over
   */
  public ReverseBytewiseComparator(final ComparatorOptions copt) {
    super(copt);
  }

  @Override
  public String name() {
    return "rocksdb.java.ReverseBytewiseComparator";
  }

  @Override
  public int compare(final ByteBuffer a, final ByteBuffer b) {
    return -BytewiseComparator.compareBytes(a, b);
  }

  @Override
  public void findShortestSeparator(final ByteBuffer start, final ByteBuffer limit) {
    final int common = Math.min(start.remaining(), limit.remaining());
    int at = 0;
    while (at < common && start.get(at) == limit.get(at)) {
      at++;
    }
    if (at < common && (start.get(at) & 0xff) > (limit.get(at) & 0xff)
        && at < start.remaining() - 1) {
      ((java.nio.Buffer) start).limit(at + 1);
    }
  }
}
