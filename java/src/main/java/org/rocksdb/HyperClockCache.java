package org.rocksdb;

/** A cache without locks, for many threads. */
public class HyperClockCache extends Cache {
  /**
   * A cache.
   *
   * @param capacity bytes
   * @param estimatedEntryCharge bytes of an entry; 0: the cache finds out
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   * @param strictCapacityLimit whether inserting fails when all is in use
   */
  public HyperClockCache(final long capacity, final long estimatedEntryCharge,
      final int numShardBits, final boolean strictCapacityLimit) {
    super(SharedObjects.hyperClockCache(
        capacity, estimatedEntryCharge, numShardBits, strictCapacityLimit));
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
