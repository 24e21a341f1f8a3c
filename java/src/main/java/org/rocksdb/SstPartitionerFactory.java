package org.rocksdb;

/** Decides where table files end beside their size. */
public abstract class SstPartitionerFactory extends RocksObject {
  /**
   * Holds a factory.
   *
   * @param nativeHandle its handle
   */
  protected SstPartitionerFactory(final long nativeHandle) {
    super(nativeHandle);
  }
}
