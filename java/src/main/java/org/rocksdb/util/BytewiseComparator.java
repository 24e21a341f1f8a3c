package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Bytes without sign, the engine's own order; native code compares. */
public final class BytewiseComparator extends AbstractComparator {
  /**
   * An order.
   *
   * @param copt how keys are handed over
   */
  public BytewiseComparator(final ComparatorOptions copt) {
    super(copt);
  }

  @Override
  public String name() {
    return "rocksdb.java.BytewiseComparator";
  }

  @Override
  public int compare(final ByteBuffer a, final ByteBuffer b) {
    return compareBytes(a, b);
  }

  static int compareBytes(final ByteBuffer a, final ByteBuffer b) {
    final int order = ByteUtil.memcmp(a, b, Math.min(a.remaining(), b.remaining()));
    return order != 0 ? order : Integer.compare(a.remaining(), b.remaining());
  }

  @Override
  public void findShortestSeparator(final ByteBuffer start, final ByteBuffer limit) {
    final int common = Math.min(start.remaining(), limit.remaining());
    int at = 0;
    while (at < common && start.get(at) == limit.get(at)) {
      at++;
    }
    if (at >= common) {
      return;
    }
    final int mine = start.get(at) & 0xff;
    if (mine < 0xff && mine + 1 < (limit.get(at) & 0xff)) {
      start.put(at, (byte) (mine + 1));
      ((java.nio.Buffer) start).limit(at + 1);
    }
  }

  @Override
  public void findShortSuccessor(final ByteBuffer key) {
    for (int i = 0; i < key.remaining(); i++) {
      final int value = key.get(i) & 0xff;
      if (value != 0xff) {
        key.put(i, (byte) (value + 1));
        ((java.nio.Buffer) key).limit(i + 1);
        return;
      }
    }
  }
}
