package org.rocksdb;

/** Would merge Cassandra's rows; this engine does not know them. */
public class CassandraValueMergeOperator extends MergeOperator {
  /**
   * Not supported.
   *
   * @param gcGracePeriodInSeconds not used
   * @throws UnsupportedOperationException always
   */
  public CassandraValueMergeOperator(final int gcGracePeriodInSeconds) {
    this(gcGracePeriodInSeconds, 0);
  }

  /**
   * Not supported.
   *
   * @param gcGracePeriodInSeconds not used
   * @param operandsLimit not used
   * @throws UnsupportedOperationException always
   */
  public CassandraValueMergeOperator(
      final int gcGracePeriodInSeconds, final int operandsLimit) {
    super(SharedObjects.cassandra("CassandraValueMergeOperator"));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
