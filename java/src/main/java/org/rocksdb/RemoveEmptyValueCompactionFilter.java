package org.rocksdb;

/** Drops entries with empty values. */
public class RemoveEmptyValueCompactionFilter extends AbstractCompactionFilter<Slice> {
  /** A filter. */
  public RemoveEmptyValueCompactionFilter() {
    super(SharedObjects.removeEmptyValues());
  }
}
