package org.rocksdb;

/**
 * What options of transactions have in common.
 *
 * @param <T> the options
 */
interface TransactionalOptions<T extends TransactionalOptions<T>> extends AutoCloseable {
  /** Whether a transaction begins with a snapshot. */
  boolean isSetSnapshot();

  /** Whether a transaction begins with a snapshot. */
  T setSetSnapshot(boolean setSnapshot);
}
