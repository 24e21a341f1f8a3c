package org.rocksdb;

/**
 * The same as {@link LRUCache}: the engine has no other kind under this name.
 *
 * @deprecated use {@link HyperClockCache}
 */
@Deprecated
public class ClockCache extends Cache {
  /**
   * With shards as the size suggests.
   *
   * @param capacity bytes
   */
  public ClockCache(final long capacity) {
    this(capacity, -1, false);
  }

  /**
   * With a number of shards.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   */
  public ClockCache(final long capacity, final int numShardBits) {
    this(capacity, numShardBits, false);
  }

  /**
   * Strict or not.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   * @param strictCapacityLimit whether inserting fails when all is in use
   */
  public ClockCache(
      final long capacity, final int numShardBits, final boolean strictCapacityLimit) {
    super(SharedObjects.lruCache(capacity, numShardBits, strictCapacityLimit, 0.0, 0.0));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
