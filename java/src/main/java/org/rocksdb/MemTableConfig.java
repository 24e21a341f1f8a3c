package org.rocksdb;

/** Settings of a kind of memtables. */
public abstract class MemTableConfig {
  /**
   * Makes the engine's factory of such memtables; the caller closes it.
   *
   * @return its handle
   */
  protected abstract long newMemTableFactoryHandle();
}
