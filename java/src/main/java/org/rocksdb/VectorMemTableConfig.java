package org.rocksdb;

/** Memtables that are sorted when they are read: for loading data. */
public class VectorMemTableConfig extends MemTableConfig {
  /** No room is reserved. */
  public static final int DEFAULT_RESERVED_SIZE = 0;

  private int reservedSize = DEFAULT_RESERVED_SIZE;

  /** With the default. */
  public VectorMemTableConfig() {}

  /**
   * Entries to make room for at first.
   *
   * @param size their number
   * @return this object
   */
  public VectorMemTableConfig setReservedSize(final int size) {
    reservedSize = size;
    return this;
  }

  /**
   * Entries to make room for at first.
   *
   * @return their number
   */
  public int reservedSize() {
    return reservedSize;
  }

  @Override
  protected long newMemTableFactoryHandle() {
    return TableFactories.vector(reservedSize);
  }
}
