package org.rocksdb;

/** Leaves out table files of a read. */
public interface TableFilter {
  /**
   * Whether a file is read.
   *
   * @param tableProperties what it says of itself
   * @return false to leave it out
   */
  boolean filter(TableProperties tableProperties);
}
