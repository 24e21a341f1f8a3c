package org.rocksdb;

/** A filter of table files: says which keys a file does not have. */
public abstract class Filter extends RocksObject {
  /**
   * Holds a filter.
   *
   * @param nativeHandle its handle
   */
  protected Filter(final long nativeHandle) {
    super(nativeHandle);
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
