package org.rocksdb;

/** Limits the memory of memtables, over several databases if they share it. */
public class WriteBufferManager extends RocksObject {
  private final boolean allowStall_;

  /**
   * A limit.
   *
   * @param bufferSizeBytes bytes of all memtables; 0: no limit
   * @param cache a cache to which the memory is charged
   * @param allowStall whether writers wait while memory is above the limit
   */
  public WriteBufferManager(
      final long bufferSizeBytes, final Cache cache, final boolean allowStall) {
    super(SharedObjects.writeBufferManager(bufferSizeBytes, handleOf(cache), allowStall));
    allowStall_ = allowStall;
  }

  /**
   * A limit at which memtables are flushed.
   *
   * @param bufferSizeBytes bytes of all memtables; 0: no limit
   * @param cache a cache to which the memory is charged
   */
  public WriteBufferManager(final long bufferSizeBytes, final Cache cache) {
    this(bufferSizeBytes, cache, false);
  }

  /**
   * Whether writers wait while memory is above the limit.
   *
   * @return what the constructor was given
   */
  public boolean allowStall() {
    return allowStall_;
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
