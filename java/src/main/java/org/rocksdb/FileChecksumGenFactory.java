package org.rocksdb;

/** Makes the checksums of whole table and blob files, which the manifest holds. */
public class FileChecksumGenFactory extends Customizable {
  /**
   * One that the engine knows.
   *
   * @param id such as {@code FileChecksumGenCrc32cFactory}
   * @throws RocksDBException if the engine knows none of this name
   */
  public FileChecksumGenFactory(final String id) throws RocksDBException {
    super(NamedObjects.FILE_CHECKSUM_GEN_FACTORY, id);
  }
}
