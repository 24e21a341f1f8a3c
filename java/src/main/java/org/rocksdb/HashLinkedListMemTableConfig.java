package org.rocksdb;

/** Memtables with a bucket for each prefix, small ones as lists. */
public class HashLinkedListMemTableConfig extends MemTableConfig {
  /** Buckets. */
  public static final long DEFAULT_BUCKET_COUNT = 50_000;
  /** The bytes of a huge page; 0: none are asked for. */
  public static final long DEFAULT_HUGE_PAGE_TLB_SIZE = 0;
  /** The entries of a bucket from which the log tells of it. */
  public static final int DEFAULT_BUCKET_ENTRIES_LOG_THRES = 4096;
  /** A flush logs how entries lie in the buckets. */
  public static final boolean DEFAULT_IF_LOG_BUCKET_DIST_WHEN_FLUSH = true;
  /** The entries of a bucket from which it is a skip list. */
  public static final int DEFAUL_THRESHOLD_USE_SKIPLIST = 256;

  private long bucketCount = DEFAULT_BUCKET_COUNT;
  private long hugePageTlbSize = DEFAULT_HUGE_PAGE_TLB_SIZE;
  private int loggingThreshold = DEFAULT_BUCKET_ENTRIES_LOG_THRES;
  private boolean logDistribution = DEFAULT_IF_LOG_BUCKET_DIST_WHEN_FLUSH;
  private int thresholdUseSkiplist = DEFAUL_THRESHOLD_USE_SKIPLIST;

  /** With the defaults. */
  public HashLinkedListMemTableConfig() {}

  /**
   * Buckets.
   *
   * @param count their number
   * @return this object
   */
  public HashLinkedListMemTableConfig setBucketCount(final long count) {
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
   * Huge pages.
   *
   * @param size their size; 0: none
   * @return this object
   */
  public HashLinkedListMemTableConfig setHugePageTlbSize(final long size) {
    hugePageTlbSize = size;
    return this;
  }

  /**
   * Huge pages.
   *
   * @return their size; 0: none
   */
  public long hugePageTlbSize() {
    return hugePageTlbSize;
  }

  /**
   * Entries of a bucket from which on a flush logs it.
   *
   * @param threshold their number; 0: never
   * @return this object
   */
  public HashLinkedListMemTableConfig setBucketEntriesLoggingThreshold(final int threshold) {
    loggingThreshold = threshold;
    return this;
  }

  /**
   * Entries of a bucket from which on a flush logs it.
   *
   * @return their number; 0: never
   */
  public int bucketEntriesLoggingThreshold() {
    return loggingThreshold;
  }

  /**
   * Whether a flush logs how entries are spread.
   *
   * @param logDistribution true to log it
   * @return this object
   */
  public HashLinkedListMemTableConfig setIfLogBucketDistWhenFlush(final boolean logDistribution) {
    this.logDistribution = logDistribution;
    return this;
  }

  /**
   * Whether a flush logs how entries are spread.
   *
   * @return what was set
   */
  public boolean ifLogBucketDistWhenFlush() {
    return logDistribution;
  }

  /**
   * Entries of a bucket from which on it is a skip list.
   *
   * @param threshold their number
   * @return this object
   */
  public HashLinkedListMemTableConfig setThresholdUseSkiplist(final int threshold) {
    thresholdUseSkiplist = threshold;
    return this;
  }

  /**
   * Entries of a bucket from which on it is a skip list.
   *
   * @return their number
   */
  public int thresholdUseSkiplist() {
    return thresholdUseSkiplist;
  }

  @Override
  protected long newMemTableFactoryHandle() {
    return TableFactories.hashLinkedList(
        bucketCount, hugePageTlbSize, loggingThreshold, logDistribution, thresholdUseSkiplist);
  }
}
