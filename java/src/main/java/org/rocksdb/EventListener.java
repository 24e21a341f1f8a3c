package org.rocksdb;

/**
 * Is told of what a database does, on the threads that do it. Exceptions are passed over.
 *
 * <p>The database that a method is given is null while it is being opened; once the program
 * closes it, it is closed or null. What a listener keeps of it, or of a family, is closed when the
 * method has returned. A method may not wait for background work; {@link RocksDB#close} returns at
 * once there, and the database closes afterwards.
 */
public interface EventListener {
  /** A flush begins. */
  void onFlushBegin(RocksDB database, FlushJobInfo flushJobInfo);

  /** A flush is done. */
  void onFlushCompleted(RocksDB database, FlushJobInfo flushJobInfo);

  /** A table file was deleted. */
  void onTableFileDeleted(TableFileDeletionInfo tableFileDeletionInfo);

  /** A compaction begins. */
  void onCompactionBegin(RocksDB database, CompactionJobInfo compactionJobInfo);

  /** A compaction is done. */
  void onCompactionCompleted(RocksDB database, CompactionJobInfo compactionJobInfo);

  /** A table file was made. */
  void onTableFileCreated(TableFileCreationInfo tableFileCreationInfo);

  /** A table file is begun. */
  void onTableFileCreationStarted(TableFileCreationBriefInfo tableFileCreationBriefInfo);

  /** A memtable was sealed. */
  void onMemTableSealed(MemTableInfo memTableInfo);

  /** A handle of a family is about to go: it has name, number and options, and takes no calls. */
  void onColumnFamilyHandleDeletionStarted(ColumnFamilyHandle columnFamilyHandle);

  /** A file was ingested. */
  void onExternalFileIngested(RocksDB database, ExternalFileIngestionInfo externalFileIngestionInfo);

  /** A background job failed. */
  void onBackgroundError(BackgroundErrorReason reason, Status backgroundError);

  /** Writes are held back in another way. */
  void onStallConditionsChanged(WriteStallInfo writeStallInfo);

  /** A file was read. */
  void onFileReadFinish(FileOperationInfo fileOperationInfo);

  /** A file was written. */
  void onFileWriteFinish(FileOperationInfo fileOperationInfo);

  /** A file was handed over to the system. */
  void onFileFlushFinish(FileOperationInfo fileOperationInfo);

  /** A file was synced. */
  void onFileSyncFinish(FileOperationInfo fileOperationInfo);

  /** A part of a file was synced. */
  void onFileRangeSyncFinish(FileOperationInfo fileOperationInfo);

  /** A file was cut. */
  void onFileTruncateFinish(FileOperationInfo fileOperationInfo);

  /** A file was closed. */
  void onFileCloseFinish(FileOperationInfo fileOperationInfo);

  /** Whether operations on files are told. */
  boolean shouldBeNotifiedOnFileIO();

  /** Recovery from an error begins; false stops it. */
  boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status backgroundError);

  /** Recovery from an error is done. */
  void onErrorRecoveryCompleted(Status oldBackgroundError);
}
