package org.rocksdb;

/** Settings of a format of table files. */
public abstract class TableFormatConfig {
  /**
   * Makes the engine's factory of such tables; the caller closes it.
   *
   * @return its handle
   */
  protected abstract long newTableFactoryHandle();
}
