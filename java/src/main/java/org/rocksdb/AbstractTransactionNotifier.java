package org.rocksdb;

/**
 * Is told of the snapshot that a transaction takes after {@link
 * Transaction#setSnapshotOnNextOperation(AbstractTransactionNotifier)}. What it throws leaves the
 * operation that took the snapshot.
 */
public abstract class AbstractTransactionNotifier extends RocksCallbackObject {
  /** A notifier. */
  protected AbstractTransactionNotifier() {
    super();
  }

  /**
   * A snapshot was taken. Called by the thread whose operation took it.
   *
   * @param newSnapshot the snapshot, which the transaction owns
   */
  public abstract void snapshotCreated(final Snapshot newSnapshot);

  final void snapshotCreated(final long snapshot) {
    snapshotCreated(new Snapshot(snapshot));
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return Transactions.notifier(this);
  }

  @Override
  protected void disposeInternal() {
    disposeInternal(nativeHandle_);
  }

  /**
   * Ends the native part; a transaction that is to tell it keeps it.
   *
   * @param handle its handle
   */
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
