package org.rocksdb;

/** What iterators of all kinds have in common. */
final class Iterators {
  static final int FIRST = 0;
  static final int LAST = 1;
  static final int NEXT = 2;
  static final int PREVIOUS = 3;

  static {
    LibraryLoader.load();
  }

  private Iterators() {}

  static native long[] create(long database, long[] families, long options)
      throws RocksDBException;

  static native long createOne(long database, long family, long options);

  /** Moves, and tells whether there is an entry. */
  static native boolean move(long iterator, int how);

  /**
   * Steps forward, then puts up to {@code most} entries into {@code target}, as many as fit. Bit 0
   * of the result: whether it stands at an entry behind them; bit 1: it never reads ahead; above:
   * how many there are.
   */
  static native int nextEntries(long iterator, byte[] target, int most);

  static native boolean isValid(long iterator);

  static native boolean seek(
      long iterator, byte[] key, int offset, int size, boolean forPrevious);

  static native boolean seekDirect(long iterator, long key, int size, boolean forPrevious);

  static native byte[] get(long iterator, boolean ofValue);

  static native int getInto(
      long iterator, boolean ofValue, byte[] target, int offset, int room);

  static native int getDirect(long iterator, boolean ofValue, long target, int room);

  static native void refresh(long iterator, long snapshot) throws RocksDBException;

  static native void status(long iterator) throws RocksDBException;
}
