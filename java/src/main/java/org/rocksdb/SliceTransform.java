package org.rocksdb;

/** A function from a key to its prefix. */
public class SliceTransform extends Customizable {
  /**
   * One that the engine knows.
   *
   * @param id such as {@code fixed:4}, the first four bytes, or {@code capped:4}, at most these
   * @throws RocksDBException if the engine knows none of this name
   */
  public SliceTransform(final String id) throws RocksDBException {
    super(NamedObjects.SLICE_TRANSFORM, id);
  }
}
