package org.rocksdb;

/** Makes copies of a database that share its files. */
public class Checkpoint extends RocksObject {
  private Checkpoint(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * For a database.
   *
   * @param db the database
   * @return the object that makes copies
   */
  public static Checkpoint create(final RocksDB db) {
    if (db == null) {
      throw new IllegalArgumentException("RocksDB instance shall not be null.");
    }
    if (!Handles.isOpen(db.nativeHandle_)) {
      throw new IllegalStateException("RocksDB instance must be initialized.");
    }
    return new Checkpoint(CheckpointParts.create(db.nativeHandle_));
  }

  /**
   * Makes a copy.
   *
   * @param checkpointPath a directory that does not exist
   * @throws RocksDBException if that fails
   */
  public void createCheckpoint(final String checkpointPath) throws RocksDBException {
    CheckpointParts.createCheckpoint(nativeHandle_, Text.utf8(checkpointPath));
  }

  /**
   * Copies the files of a family.
   *
   * @param columnFamilyHandle the family
   * @param exportPath a directory that does not exist
   * @return what another database imports
   * @throws RocksDBException if that fails
   */
  public ExportImportFilesMetaData exportColumnFamily(
      final ColumnFamilyHandle columnFamilyHandle, final String exportPath)
      throws RocksDBException {
    return new ExportImportFilesMetaData(CheckpointParts.exportFamily(
        nativeHandle_, columnFamilyHandle.nativeHandle_, Text.utf8(exportPath)));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
