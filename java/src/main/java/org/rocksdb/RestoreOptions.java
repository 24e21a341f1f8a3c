package org.rocksdb;

/** How a backup is restored. */
public class RestoreOptions extends RocksObject {
  /**
   * With or without logs that are there.
   *
   * @param keepLogFiles whether they stay
   */
  public RestoreOptions(final boolean keepLogFiles) {
    super(BackupParts.restoreOptions(keepLogFiles));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
