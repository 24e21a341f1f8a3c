package org.rocksdb;

/** Would drop columns of Cassandra's rows that have expired; this engine does not know them. */
public class CassandraCompactionFilter extends AbstractCompactionFilter<Slice> {
  /**
   * Not supported.
   *
   * @param purgeTtlOnExpiration not used
   * @param gcGracePeriodInSeconds not used
   * @throws UnsupportedOperationException always
   */
  public CassandraCompactionFilter(
      final boolean purgeTtlOnExpiration, final int gcGracePeriodInSeconds) {
    super(SharedObjects.cassandra("CassandraCompactionFilter"));
  }
}
