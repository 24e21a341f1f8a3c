package org.rocksdb;

import java.util.List;

/** Makes and restores backups of databases in a directory. */
public class BackupEngine extends RocksObject implements AutoCloseable {
  /**
   * Holds an engine.
   *
   * @param nativeHandle its handle
   */
  protected BackupEngine(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * Opens a directory of backups, or makes it.
   *
   * @param env where databases are
   * @param options the directory, and how
   * @return the engine
   * @throws RocksDBException if that fails
   */
  public static BackupEngine open(final Env env, final BackupEngineOptions options)
      throws RocksDBException {
    return new BackupEngine(BackupParts.open(env.nativeHandle_, options.nativeHandle_));
  }

  /**
   * Makes a backup of what is written, with its logs.
   *
   * @param db the database
   * @throws RocksDBException if that fails
   */
  public void createNewBackup(final RocksDB db) throws RocksDBException {
    createNewBackup(db, false);
  }

  /**
   * Makes a backup.
   *
   * @param db the database
   * @param flushBeforeBackup whether memtables are flushed first
   * @throws RocksDBException if that fails
   */
  public void createNewBackup(final RocksDB db, final boolean flushBeforeBackup)
      throws RocksDBException {
    createNewBackupWithMetadata(db, "", flushBeforeBackup);
  }

  /**
   * Makes a backup.
   *
   * @param db the database
   * @param metadata what the program says of it
   * @param flushBeforeBackup whether memtables are flushed first
   * @throws RocksDBException if that fails
   */
  public void createNewBackupWithMetadata(final RocksDB db, final String metadata,
      final boolean flushBeforeBackup) throws RocksDBException {
    BackupParts.create(
        nativeHandle_, db.nativeHandle_, Text.utf8(metadata), flushBeforeBackup);
  }

  /**
   * The backups.
   *
   * @return all valid ones, the oldest first
   */
  public List<BackupInfo> getBackupInfo() {
    return BackupInfo.list(new Unpacker(BackupParts.list(nativeHandle_)));
  }

  /**
   * The backups that are damaged.
   *
   * @return their numbers
   */
  public int[] getCorruptedBackups() {
    final long[] found = BackupParts.corrupted(nativeHandle_);
    final int[] numbers = new int[found.length];
    for (int i = 0; i < found.length; i++) {
      numbers[i] = (int) found[i];
    }
    return numbers;
  }

  /**
   * Deletes files that no backup needs.
   *
   * @throws RocksDBException if that fails
   */
  public void garbageCollect() throws RocksDBException {
    BackupParts.collectGarbage(nativeHandle_);
  }

  /**
   * Deletes all backups but the newest.
   *
   * @param numBackupsToKeep how many stay
   * @throws RocksDBException if that fails
   */
  public void purgeOldBackups(final int numBackupsToKeep) throws RocksDBException {
    BackupParts.purge(nativeHandle_, numBackupsToKeep);
  }

  /**
   * Deletes a backup.
   *
   * @param backupId its number
   * @throws RocksDBException if that fails
   */
  public void deleteBackup(final int backupId) throws RocksDBException {
    BackupParts.deleteOne(nativeHandle_, backupId);
  }

  /**
   * Makes a database what a backup has.
   *
   * @param backupId the number of the backup
   * @param dbDir the directory of the database
   * @param walDir the directory of its logs
   * @param restoreOptions how
   * @throws RocksDBException if that fails
   */
  public void restoreDbFromBackup(final int backupId, final String dbDir, final String walDir,
      final RestoreOptions restoreOptions) throws RocksDBException {
    if (backupId <= 0) {
      throw new RocksDBException("no backup has the number " + backupId,
          new Status(Status.Code.NotFound, Status.SubCode.None, null));
    }
    BackupParts.restore(nativeHandle_, backupId, Text.utf8(dbDir), Text.utf8(walDir),
        restoreOptions.nativeHandle_);
  }

  /**
   * Makes a database what the newest backup has.
   *
   * @param dbDir the directory of the database
   * @param walDir the directory of its logs
   * @param restoreOptions how
   * @throws RocksDBException if that fails
   */
  public void restoreDbFromLatestBackup(final String dbDir, final String walDir,
      final RestoreOptions restoreOptions) throws RocksDBException {
    BackupParts.restore(nativeHandle_, 0, Text.utf8(dbDir), Text.utf8(walDir),
        restoreOptions.nativeHandle_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
