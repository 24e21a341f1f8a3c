package org.rocksdb;

/** Adds operands: numbers of 8 bytes, the lowest first. */
public class UInt64AddOperator extends MergeOperator {
  /** An operator. */
  public UInt64AddOperator() {
    super(SharedObjects.uint64Add());
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
