package org.rocksdb;

/** How operations are recorded. */
public class TraceOptions {
  private final long maxTraceFileSize;

  /** Up to 64 GiB. */
  public TraceOptions() {
    this(64L * 1024 * 1024 * 1024);
  }

  /**
   * Up to a size.
   *
   * @param maxTraceFileSize bytes after which nothing more is written
   */
  public TraceOptions(final long maxTraceFileSize) {
    this.maxTraceFileSize = maxTraceFileSize;
  }

  /**
   * Up to which size.
   *
   * @return bytes
   */
  public long getMaxTraceFileSize() {
    return maxTraceFileSize;
  }
}
