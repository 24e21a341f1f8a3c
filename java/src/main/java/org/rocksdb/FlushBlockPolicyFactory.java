package org.rocksdb;

/** Decides where the data blocks of table files end. */
public class FlushBlockPolicyFactory extends Customizable {
  /**
   * One that the engine knows.
   *
   * @param id such as {@code FlushBlockBySizePolicyFactory}, the default, or {@code
   *     FlushBlockEveryKeyPolicyFactory}
   * @throws RocksDBException if the engine knows none of this name
   */
  public FlushBlockPolicyFactory(final String id) throws RocksDBException {
    super(NamedObjects.FLUSH_BLOCK_POLICY_FACTORY, id);
  }

  FlushBlockPolicyFactory(final long handle) {
    super(NamedObjects.FLUSH_BLOCK_POLICY_FACTORY, handle);
  }
}
