package org.rocksdb;

/** Leaves out table files of a read. An exception in it comes out of the read. */
public abstract class AbstractTableFilter extends RocksCallbackObject implements TableFilter {
  /** A filter. */
  protected AbstractTableFilter() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.tableFilter(this);
  }
}
