package org.rocksdb;

/** Where a trace goes. */
public interface TraceWriter {
  /** Writes a record. */
  void write(Slice data) throws RocksDBException;

  /** Ends writing. */
  void closeWriter() throws RocksDBException;

  /** How many bytes were written. */
  long getFileSize();
}
