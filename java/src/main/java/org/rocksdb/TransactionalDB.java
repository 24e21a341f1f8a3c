package org.rocksdb;

/**
 * What databases with transactions have in common.
 *
 * @param <T> the options of their transactions
 */
interface TransactionalDB<T extends TransactionalOptions<T>> extends AutoCloseable {
  /**
   * Begins a transaction.
   *
   * @param writeOptions how it is written
   * @return the transaction, which the caller closes
   */
  Transaction beginTransaction(WriteOptions writeOptions);

  /**
   * Begins a transaction.
   *
   * @param writeOptions how it is written
   * @param transactionOptions how it behaves
   * @return the transaction, which the caller closes
   */
  Transaction beginTransaction(WriteOptions writeOptions, T transactionOptions);

  /**
   * Begins a transaction in the place of one that has ended.
   *
   * @param writeOptions how it is written
   * @param oldTransaction the one that has ended
   * @return that very object
   */
  Transaction beginTransaction(WriteOptions writeOptions, Transaction oldTransaction);

  /**
   * Begins a transaction in the place of one that has ended.
   *
   * @param writeOptions how it is written
   * @param transactionOptions how it behaves
   * @param oldTransaction the one that has ended
   * @return that very object
   */
  Transaction beginTransaction(
      WriteOptions writeOptions, T transactionOptions, Transaction oldTransaction);
}
