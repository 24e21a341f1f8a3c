package org.rocksdb;

/** A moment of a database. {@link RocksDB#releaseSnapshot} ends it; closing it does nothing. */
public class Snapshot extends RocksObject {
  Snapshot(final long nativeHandle) {
    super(nativeHandle);
    disOwnNativeHandle();
  }

  /**
   * The number of the last write that it sees.
   *
   * @return the sequence number
   */
  public long getSequenceNumber() {
    return Reads.sequenceOf(nativeHandle_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    // Whoever gave it out ends it.
  }
}
