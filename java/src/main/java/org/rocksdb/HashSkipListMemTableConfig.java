package org.rocksdb;

/** Memtables with a bucket for each prefix, in order within it. */
public class HashSkipListMemTableConfig extends MemTableConfig {
  /** Buckets. */
  public static final int DEFAULT_BUCKET_COUNT = 1_000_000;
  /** The branching of a skip list. */
  public static final int DEFAULT_BRANCHING_FACTOR = 4;
  /** The height of a skip list. */
  public static final int DEFAULT_HEIGHT = 4;

  private long bucketCount = DEFAULT_BUCKET_COUNT;
  private int branchingFactor = DEFAULT_BRANCHING_FACTOR;
  private int height = DEFAULT_HEIGHT;

  /** With the defaults. */
  public HashSkipListMemTableConfig() {}

  /**
   * Buckets.
   *
   * @param count their number
   * @return this object
   */
  public HashSkipListMemTableConfig setBucketCount(final long count) {
    bucketCount = count;
    return this;
  }

  /**
   * Buckets.
   *
   * @return their number
   */
  public long bucketCount() {
    return bucketCount;
  }

  /**
   * The height of a bucket's list.
   *
   * @param height levels
   * @return this object
   */
  public HashSkipListMemTableConfig setHeight(final int height) {
    this.height = height;
    return this;
  }

  /**
   * The height of a bucket's list.
   *
   * @return levels
   */
  public int height() {
    return height;
  }

  /**
   * Entries of one level for one of the next.
   *
   * @param bf their number
   * @return this object
   */
  public HashSkipListMemTableConfig setBranchingFactor(final int bf) {
    branchingFactor = bf;
    return this;
  }

  /**
   * Entries of one level for one of the next.
   *
   * @return their number
   */
  public int branchingFactor() {
    return branchingFactor;
  }

  @Override
  protected long newMemTableFactoryHandle() {
    return TableFactories.hashSkipList(bucketCount, height, branchingFactor);
  }
}
