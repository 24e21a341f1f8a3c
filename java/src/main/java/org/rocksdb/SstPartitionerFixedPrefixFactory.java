package org.rocksdb;

/** Ends a table file where the first bytes of the key change. */
public class SstPartitionerFixedPrefixFactory extends SstPartitionerFactory {
  /**
   * A factory.
   *
   * @param prefixLength how many bytes
   */
  public SstPartitionerFixedPrefixFactory(final long prefixLength) {
    super(SharedObjects.fixedPrefixPartitioner(prefixLength));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
