package org.rocksdb;

/** A cache of blocks or rows, which several databases may share. */
public abstract class Cache extends RocksObject {
  /**
   * Holds a cache.
   *
   * @param nativeHandle its handle
   */
  protected Cache(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * What it holds.
   *
   * @return bytes
   */
  public long getUsage() {
    return SharedObjects.cacheUsage(nativeHandle_);
  }

  /**
   * What it holds and must keep, as somebody uses it.
   *
   * @return bytes
   */
  public long getPinnedUsage() {
    return SharedObjects.cachePinnedUsage(nativeHandle_);
  }
}
