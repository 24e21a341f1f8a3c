package org.rocksdb;

/** Walks over batches of updates in logs. */
public class WalIterator extends RocksObject {
  WalIterator(final long nativeHandle) {
    super(nativeHandle);
  }

  /** Tells whether it is at a batch. */
  public boolean isValid() {
    return WalParts.isValid(nativeHandle_);
  }

  /** Goes to the next batch. */
  public void next() {
    WalParts.next(nativeHandle_);
  }

  /** Tells of an error. */
  public void status() throws RocksDBException {
    WalParts.status(nativeHandle_);
  }

  /**
   * The batch; once for each position.
   *
   * @return the batch, which the caller closes
   */
  public BatchResult getBatch() {
    final long[] batch = WalParts.batch(nativeHandle_);
    return new BatchResult(batch[0], batch[1]);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  /** A batch, and the number of its first update. */
  public static final class BatchResult {
    private final long sequenceNumber_;
    private final WriteBatch writeBatch_;

    /**
     * A batch.
     *
     * @param sequenceNumber the number of its first update
     * @param nativeHandle its handle
     */
    public BatchResult(final long sequenceNumber, final long nativeHandle) {
      sequenceNumber_ = sequenceNumber;
      writeBatch_ = WriteBatch.owned(nativeHandle);
    }

    /** The number of the first update. */
    public long sequenceNumber() {
      return sequenceNumber_;
    }

    /** The batch. */
    public WriteBatch writeBatch() {
      return writeBatch_;
    }
  }
}
