package org.rocksdb;

/** The older name of {@link WalIterator}. */
public class TransactionLogIterator extends WalIterator {
  TransactionLogIterator(final long nativeHandle) {
    super(nativeHandle);
  }
}
