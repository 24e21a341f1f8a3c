package org.rocksdb;

/** Makes the codecs of table files. */
public class CompressionManager extends Customizable {
  /**
   * One that the engine knows.
   *
   * @param id such as {@code BuiltinV2}
   * @throws RocksDBException if the engine knows none of this name
   */
  public CompressionManager(final String id) throws RocksDBException {
    super(NamedObjects.COMPRESSION_MANAGER, id);
  }
}
