package org.rocksdb;

/** A listener that is told of some events, or all; those that it leaves out cost nothing. */
public abstract class AbstractEventListener extends RocksCallbackObject implements EventListener {
  /** The methods of a listener, to choose which of them are called. */
  public enum EnabledEventCallback {
    /** onFlushCompleted: a flush is done. */
    ON_FLUSH_COMPLETED((byte) 0),
    /** onFlushBegin: a flush begins. */
    ON_FLUSH_BEGIN((byte) 1),
    /** onTableFileDeleted: a table file was deleted. */
    ON_TABLE_FILE_DELETED((byte) 2),
    /** onCompactionBegin: a compaction begins. */
    ON_COMPACTION_BEGIN((byte) 3),
    /** onCompactionCompleted: a compaction is done. */
    ON_COMPACTION_COMPLETED((byte) 4),
    /** onTableFileCreated: a table file was made. */
    ON_TABLE_FILE_CREATED((byte) 5),
    /** onTableFileCreationStarted: a table file is begun. */
    ON_TABLE_FILE_CREATION_STARTED((byte) 6),
    /** onMemTableSealed: a memtable takes no more writes. */
    ON_MEMTABLE_SEALED((byte) 7),
    /** onColumnFamilyHandleDeletionStarted: a handle is about to go. */
    ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED((byte) 8),
    /** onExternalFileIngested: a file was ingested. */
    ON_EXTERNAL_FILE_INGESTED((byte) 9),
    /** onBackgroundError: a background job failed. */
    ON_BACKGROUND_ERROR((byte) 10),
    /** onStallConditionsChanged: writes are held back in another way. */
    ON_STALL_CONDITIONS_CHANGED((byte) 11),
    /** onFileReadFinish: a file was read. */
    ON_FILE_READ_FINISH((byte) 12),
    /** onFileWriteFinish: a file was written. */
    ON_FILE_WRITE_FINISH((byte) 13),
    /** onFileFlushFinish: a file's buffer was handed over to the system. */
    ON_FILE_FLUSH_FINISH((byte) 14),
    /** onFileSyncFinish: a file was synced. */
    ON_FILE_SYNC_FINISH((byte) 15),
    /** onFileRangeSyncFinish: a part of a file was synced. */
    ON_FILE_RANGE_SYNC_FINISH((byte) 16),
    /** onFileTruncateFinish: a file was cut. */
    ON_FILE_TRUNCATE_FINISH((byte) 17),
    /** onFileCloseFinish: a file was closed. */
    ON_FILE_CLOSE_FINISH((byte) 18),
    /** shouldBeNotifiedOnFileIO: whether operations on files are told. */
    SHOULD_BE_NOTIFIED_ON_FILE_IO((byte) 19),
    /** onErrorRecoveryBegin: recovery from an error begins. */
    ON_ERROR_RECOVERY_BEGIN((byte) 20),
    /** onErrorRecoveryCompleted: recovery from an error is done. */
    ON_ERROR_RECOVERY_COMPLETED((byte) 21);

    private final byte value;

    EnabledEventCallback(final byte value) {
      this.value = value;
    }

    byte getValue() {
      return value;
    }

    static EnabledEventCallback of(final byte value) {
      for (final EnabledEventCallback each : values()) {
        if (each.value == value) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          "EnabledEventCallback has no constant with value " + value);
    }
  }

  /** Is told of all events. */
  protected AbstractEventListener() {
    this(EnabledEventCallback.values());
  }

  /**
   * Is told of some events.
   *
   * @param enabledEventCallbacks which
   */
  protected AbstractEventListener(final EnabledEventCallback... enabledEventCallbacks) {
    super(bits(enabledEventCallbacks));
  }

  private static long bits(final EnabledEventCallback... events) {
    long bits = 0;
    for (final EnabledEventCallback each : events) {
      bits |= 1L << each.getValue();
    }
    return bits;
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.listener(this, nativeParameterHandles[0]);
  }

  /** Calls the method of an event with what is packed. */
  boolean dispatch(final int event, final long database, final Unpacker in) {
    if (database == 0) {
      return dispatch(event, (RocksDB) null, in);
    }
    final RocksDB lent = RocksDB.borrowed(database);
    try {
      return dispatch(event, lent, in);
    } finally {
      lent.giveBack();
    }
  }

  private boolean dispatch(final int event, final RocksDB of, final Unpacker in) {
    switch (EnabledEventCallback.values()[event]) {
      case ON_FLUSH_COMPLETED:
        onFlushCompleted(of, new FlushJobInfo(in));
        break;
      case ON_FLUSH_BEGIN:
        onFlushBegin(of, new FlushJobInfo(in));
        break;
      case ON_TABLE_FILE_DELETED:
        onTableFileDeleted(new TableFileDeletionInfo(in));
        break;
      case ON_COMPACTION_BEGIN:
        onCompactionBegin(of, CompactionJobInfo.lent(in.readLong()));
        break;
      case ON_COMPACTION_COMPLETED:
        onCompactionCompleted(of, CompactionJobInfo.lent(in.readLong()));
        break;
      case ON_TABLE_FILE_CREATED:
        onTableFileCreated(TableFileCreationInfo.read(in));
        break;
      case ON_TABLE_FILE_CREATION_STARTED:
        onTableFileCreationStarted(TableFileCreationBriefInfo.read(in));
        break;
      case ON_MEMTABLE_SEALED:
        onMemTableSealed(new MemTableInfo(in));
        break;
      case ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED:
        onColumnFamilyHandleDeletionStarted(ColumnFamilyHandle.borrowed(of, in.readLong()));
        break;
      case ON_EXTERNAL_FILE_INGESTED:
        onExternalFileIngested(of, new ExternalFileIngestionInfo(in));
        break;
      case ON_BACKGROUND_ERROR:
        onBackgroundError(BackgroundErrorReason.of((byte) in.readInt()), Status.read(in));
        break;
      case ON_STALL_CONDITIONS_CHANGED:
        onStallConditionsChanged(new WriteStallInfo(in));
        break;
      case ON_FILE_READ_FINISH:
        onFileReadFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_WRITE_FINISH:
        onFileWriteFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_FLUSH_FINISH:
        onFileFlushFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_SYNC_FINISH:
        onFileSyncFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_RANGE_SYNC_FINISH:
        onFileRangeSyncFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_TRUNCATE_FINISH:
        onFileTruncateFinish(new FileOperationInfo(in));
        break;
      case ON_FILE_CLOSE_FINISH:
        onFileCloseFinish(new FileOperationInfo(in));
        break;
      case SHOULD_BE_NOTIFIED_ON_FILE_IO:
        return shouldBeNotifiedOnFileIO();
      case ON_ERROR_RECOVERY_BEGIN:
        return onErrorRecoveryBegin(BackgroundErrorReason.of((byte) in.readInt()), Status.read(in));
      case ON_ERROR_RECOVERY_COMPLETED:
        onErrorRecoveryCompleted(Status.read(in));
        break;
      default:
        break;
    }
    return true;
  }

  @Override
  public void onFlushCompleted(final RocksDB database, final FlushJobInfo flushJobInfo) {
    // For those who want to know.
  }

  @Override
  public void onFlushBegin(final RocksDB database, final FlushJobInfo flushJobInfo) {
    // For those who want to know.
  }

  @Override
  public void onTableFileDeleted(final TableFileDeletionInfo tableFileDeletionInfo) {
    // For those who want to know.
  }

  @Override
  public void onCompactionBegin(final RocksDB database, final CompactionJobInfo compactionJobInfo) {
    // For those who want to know.
  }

  @Override
  public void onCompactionCompleted(
      final RocksDB database, final CompactionJobInfo compactionJobInfo) {
    // For those who want to know.
  }

  @Override
  public void onTableFileCreated(final TableFileCreationInfo tableFileCreationInfo) {
    // For those who want to know.
  }

  @Override
  public void onTableFileCreationStarted(final TableFileCreationBriefInfo tableFileCreationBriefInfo) {
    // For those who want to know.
  }

  @Override
  public void onMemTableSealed(final MemTableInfo memTableInfo) {
    // For those who want to know.
  }

  @Override
  public void onColumnFamilyHandleDeletionStarted(final ColumnFamilyHandle columnFamilyHandle) {
    // For those who want to know.
  }

  @Override
  public void onExternalFileIngested(
      final RocksDB database, final ExternalFileIngestionInfo externalFileIngestionInfo) {
    // For those who want to know.
  }

  @Override
  public void onBackgroundError(final BackgroundErrorReason reason, final Status backgroundError) {
    // For those who want to know.
  }

  @Override
  public void onStallConditionsChanged(final WriteStallInfo writeStallInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileReadFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileWriteFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileFlushFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileSyncFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileRangeSyncFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileTruncateFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public void onFileCloseFinish(final FileOperationInfo fileOperationInfo) {
    // For those who want to know.
  }

  @Override
  public boolean shouldBeNotifiedOnFileIO() {
    return false;
  }

  @Override
  public boolean onErrorRecoveryBegin(final BackgroundErrorReason reason, final Status backgroundError) {
    return true;
  }

  @Override
  public void onErrorRecoveryCompleted(final Status oldBackgroundError) {
    // For those who want to know.
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }
}
