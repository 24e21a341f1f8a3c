package org.rocksdb;

/** Memtables in order of their keys; the default. */
public class SkipListMemTableConfig extends MemTableConfig {
  /** No lookahead. */
  public static final long DEFAULT_LOOKAHEAD = 0;

  private long lookahead = DEFAULT_LOOKAHEAD;

  /** With the default. */
  public SkipListMemTableConfig() {}

  /**
   * Entries that a seek tries from where the last one ended.
   *
   * @param lookahead their number
   * @return this object
   */
  public SkipListMemTableConfig setLookahead(final long lookahead) {
    this.lookahead = lookahead;
    return this;
  }

  /**
   * Entries that a seek tries from where the last one ended.
   *
   * @return their number
   */
  public long lookahead() {
    return lookahead;
  }

  @Override
  protected long newMemTableFactoryHandle() {
    return TableFactories.skipList(lookahead);
  }
}
