package org.rocksdb;

/** Joins the operands of merges. */
public abstract class MergeOperator extends RocksObject {
  /**
   * Holds an operator.
   *
   * @param nativeHandle its handle
   */
  protected MergeOperator(final long nativeHandle) {
    super(nativeHandle);
  }
}
