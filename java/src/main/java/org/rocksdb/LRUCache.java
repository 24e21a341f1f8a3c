package org.rocksdb;

/** A cache from which the longest unused goes first. */
public class LRUCache extends Cache {
  /**
   * With shards as the size suggests.
   *
   * @param capacity bytes
   */
  public LRUCache(final long capacity) {
    this(capacity, -1, false, 0.0, 0.0);
  }

  /**
   * With a number of shards.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   */
  public LRUCache(final long capacity, final int numShardBits) {
    this(capacity, numShardBits, false, 0.0, 0.0);
  }

  /**
   * Strict or not.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   * @param strictCapacityLimit whether inserting fails when all is in use
   */
  public LRUCache(
      final long capacity, final int numShardBits, final boolean strictCapacityLimit) {
    this(capacity, numShardBits, strictCapacityLimit, 0.0, 0.0);
  }

  /**
   * With room for what is marked as important.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   * @param strictCapacityLimit whether inserting fails when all is in use
   * @param highPriPoolRatio the share for indexes and filters
   */
  public LRUCache(final long capacity, final int numShardBits, final boolean strictCapacityLimit,
      final double highPriPoolRatio) {
    this(capacity, numShardBits, strictCapacityLimit, highPriPoolRatio, 0.0);
  }

  /**
   * With room for what is marked as important, and as less so.
   *
   * @param capacity bytes
   * @param numShardBits shards are 2 to the power of this; -1: as the size suggests
   * @param strictCapacityLimit whether inserting fails when all is in use
   * @param highPriPoolRatio the share for indexes and filters
   * @param lowPriPoolRatio the share for other blocks
   */
  public LRUCache(final long capacity, final int numShardBits, final boolean strictCapacityLimit,
      final double highPriPoolRatio, final double lowPriPoolRatio) {
    super(SharedObjects.lruCache(
        capacity, numShardBits, strictCapacityLimit, highPriPoolRatio, lowPriPoolRatio));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
