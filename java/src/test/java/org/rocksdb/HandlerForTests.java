package org.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Notes the updates of a batch; may throw at a put. */
class HandlerForTests extends WriteBatch.Handler {
  private final List<String> seen;
  private final RocksDBException thrown;

  HandlerForTests(final List<String> seen, final RocksDBException thrown) {
    this.seen = seen;
    this.thrown = thrown;
  }

  private static String text(final byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void put(final int family, final byte[] key, final byte[] value)
      throws RocksDBException {
    if (thrown != null) {
      throw thrown;
    }
    seen.add("put " + family + " " + text(key) + " " + text(value));
  }

  @Override
  public void put(final byte[] key, final byte[] value) {
    seen.add("put");
  }

  @Override
  public void merge(final int family, final byte[] key, final byte[] value) {
    seen.add("merge " + family + " " + text(key) + " " + text(value));
  }

  @Override
  public void merge(final byte[] key, final byte[] value) {
    seen.add("merge");
  }

  @Override
  public void delete(final int family, final byte[] key) {
    seen.add("delete " + family + " " + text(key));
  }

  @Override
  public void delete(final byte[] key) {
    seen.add("delete");
  }

  @Override
  public void singleDelete(final int family, final byte[] key) {
    seen.add("singleDelete " + family + " " + text(key));
  }

  @Override
  public void singleDelete(final byte[] key) {
    seen.add("singleDelete");
  }

  @Override
  public void deleteRange(final int family, final byte[] begin, final byte[] end) {
    seen.add("deleteRange " + family + " " + text(begin) + " " + text(end));
  }

  @Override
  public void deleteRange(final byte[] begin, final byte[] end) {
    seen.add("deleteRange");
  }

  @Override
  public void logData(final byte[] blob) {
    seen.add("log " + text(blob));
  }

  @Override
  public void putBlobIndex(final int family, final byte[] key, final byte[] value) {
    seen.add("putBlobIndex");
  }

  @Override
  public void markBeginPrepare() {
    seen.add("beginPrepare");
  }

  @Override
  public void markEndPrepare(final byte[] xid) {
    seen.add("endPrepare");
  }

  @Override
  public void markNoop(final boolean emptyBatch) {
    seen.add("noop");
  }

  @Override
  public void markRollback(final byte[] xid) {
    seen.add("rollback");
  }

  @Override
  public void markCommit(final byte[] xid) {
    seen.add("commit");
  }

  @Override
  public void markCommitWithTimestamp(final byte[] xid, final byte[] ts) {
    seen.add("commit at " + text(ts));
  }
}
