package org.rocksdb;

/** Updates that are written together: all of them, or none. */
public class WriteBatch extends AbstractWriteBatch {
  /** An empty batch. */
  public WriteBatch() {
    this(0);
  }

  /**
   * An empty batch with room.
   *
   * @param reservedBytes how much
   */
  public WriteBatch(final int reservedBytes) {
    super(Batches.create(reservedBytes));
  }

  /**
   * A batch as {@link #data} gave it.
   *
   * @param serialized its bytes
   */
  public WriteBatch(final byte[] serialized) {
    super(Batches.createFrom(serialized));
  }

  private WriteBatch(final long nativeHandle) {
    super(nativeHandle);
  }

  /** One that belongs to something else. */
  static WriteBatch borrowed(final long nativeHandle) {
    final WriteBatch batch = new WriteBatch(nativeHandle);
    batch.disOwnNativeHandle();
    return batch;
  }

  /** One of the caller's. */
  static WriteBatch owned(final long nativeHandle) {
    return new WriteBatch(nativeHandle);
  }

  @Override
  long batchHandle() {
    return nativeHandle_;
  }

  @Override
  void update(final long family, final int operation, final byte[] key, final int offset,
      final int size, final byte[] value, final int valueOffset, final int valueSize)
      throws RocksDBException {
    Batches.update(
        nativeHandle_, family, operation, key, offset, size, value, valueOffset, valueSize);
  }

  @Override
  void updateDirect(final long family, final int operation, final long key, final int size,
      final long value, final int valueSize) throws RocksDBException {
    Batches.updateDirect(nativeHandle_, family, operation, key, size, value, valueSize);
  }

  /**
   * Shows its updates in order. What the handler throws ends that, and comes out here.
   *
   * @param handler gets the updates
   * @throws RocksDBException what the handler threw, or if the batch is damaged
   */
  public void iterate(final Handler handler) throws RocksDBException {
    Batches.iterate(nativeHandle_, handler);
  }

  /**
   * Its bytes.
   *
   * @return as files have them
   * @throws RocksDBException not thrown
   */
  public byte[] data() throws RocksDBException {
    return Batches.data(nativeHandle_);
  }

  /**
   * How many bytes it has.
   *
   * @return their number
   */
  public long getDataSize() {
    return Batches.dataSize(nativeHandle_);
  }

  private boolean has(final int what) {
    return Batches.has(nativeHandle_, what);
  }

  /** Tells whether it has a put. */
  public boolean hasPut() {
    return has(Batches.HAS_PUT);
  }

  /** Tells whether it has a delete. */
  public boolean hasDelete() {
    return has(Batches.HAS_DELETE);
  }

  /** Tells whether it has a single delete. */
  public boolean hasSingleDelete() {
    return has(Batches.HAS_SINGLE_DELETE);
  }

  /** Tells whether it has a deletion of a range. */
  public boolean hasDeleteRange() {
    return has(Batches.HAS_DELETE_RANGE);
  }

  /** Tells whether it has a merge. */
  public boolean hasMerge() {
    return has(Batches.HAS_MERGE);
  }

  /** Tells whether it has the beginning of a prepared transaction. */
  public boolean hasBeginPrepare() {
    return has(Batches.HAS_BEGIN_PREPARE);
  }

  /** Tells whether it has the end of a prepared transaction. */
  public boolean hasEndPrepare() {
    return has(Batches.HAS_END_PREPARE);
  }

  /** Tells whether it has a commit. */
  public boolean hasCommit() {
    return has(Batches.HAS_COMMIT);
  }

  /** Tells whether it has a rollback. */
  public boolean hasRollback() {
    return has(Batches.HAS_ROLLBACK);
  }

  @Override
  public WriteBatch getWriteBatch() {
    return this;
  }

  /** What comes from here on does not go to the log. */
  public void markWalTerminationPoint() {
    Batches.markWalTerminationPoint(nativeHandle_);
  }

  /**
   * Where the part for the log ends.
   *
   * @return a cleared point if all goes there
   */
  public SavePoint getWalTerminationPoint() {
    final long[] point = Batches.walTerminationPoint(nativeHandle_);
    return new SavePoint(point[0], point[1], point[2]);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  /** Gets the updates of a batch. */
  public abstract static class Handler extends RocksCallbackObject {
    /** A handler. */
    public Handler() {
      super(0L);
    }

    @Override
    protected long initializeNative(final long... nativeParameterHandles) {
      return 0;  // The native part lasts as long as one iteration.
    }

    // The numbers of java/jni/batches.cc.
    void dispatch(final int event, final int family, final byte[] first, final byte[] second)
        throws RocksDBException {
      switch (event) {
        case 0:
          put(family, first, second);
          break;
        case 1:
          merge(family, first, second);
          break;
        case 2:
          delete(family, first);
          break;
        case 3:
          singleDelete(family, first);
          break;
        case 4:
          deleteRange(family, first, second);
          break;
        case 5:
          putBlobIndex(family, first, second);
          break;
        case 6:
          logData(first);
          break;
        default:
          dispatchMark(event, family, first, second);
      }
    }

    private void dispatchMark(final int event, final int flag, final byte[] first,
        final byte[] second) throws RocksDBException {
      switch (event) {
        case 7:
          markBeginPrepare();
          break;
        case 8:
          markEndPrepare(first);
          break;
        case 9:
          markNoop(flag != 0);
          break;
        case 10:
          markRollback(first);
          break;
        case 11:
          markCommit(first);
          break;
        default:
          markCommitWithTimestamp(first, second);
      }
    }

    /** A put to a family. */
    public abstract void put(int columnFamilyId, byte[] key, byte[] value)
        throws RocksDBException;

    /** A put; families come through the other form. */
    public abstract void put(byte[] key, byte[] value);

    /** A merge to a family. */
    public abstract void merge(int columnFamilyId, byte[] key, byte[] value)
        throws RocksDBException;

    /** A merge; families come through the other form. */
    public abstract void merge(byte[] key, byte[] value);

    /** A delete from a family. */
    public abstract void delete(int columnFamilyId, byte[] key) throws RocksDBException;

    /** A delete; families come through the other form. */
    public abstract void delete(byte[] key);

    /** A single delete from a family. */
    public abstract void singleDelete(int columnFamilyId, byte[] key) throws RocksDBException;

    /** A single delete; families come through the other form. */
    public abstract void singleDelete(byte[] key);

    /** A deletion of a range of a family. */
    public abstract void deleteRange(int columnFamilyId, byte[] beginKey, byte[] endKey)
        throws RocksDBException;

    /** A deletion of a range; families come through the other form. */
    public abstract void deleteRange(byte[] beginKey, byte[] endKey);

    /** Bytes for the log alone. */
    public abstract void logData(byte[] blob);

    /** A value that is in a blob file. */
    public abstract void putBlobIndex(int columnFamilyId, byte[] key, byte[] value)
        throws RocksDBException;

    /** The beginning of a prepared transaction. */
    public abstract void markBeginPrepare() throws RocksDBException;

    /** The end of a prepared transaction. */
    public abstract void markEndPrepare(byte[] xid) throws RocksDBException;

    /** Nothing. */
    public abstract void markNoop(boolean emptyBatch) throws RocksDBException;

    /** A rollback. */
    public abstract void markRollback(byte[] xid) throws RocksDBException;

    /** A commit. */
    public abstract void markCommit(byte[] xid) throws RocksDBException;

    /** A commit at a time. */
    public abstract void markCommitWithTimestamp(byte[] xid, byte[] ts) throws RocksDBException;

    /**
     * Whether to go on.
     *
     * @return false to end without an error
     */
    public boolean shouldContinue() {
      return true;
    }
  }

  /** A point within a batch. */
  public static class SavePoint {
    private long size;
    private long count;
    private long contentFlags;

    /** A point behind so many bytes, updates, and kinds of updates. */
    public SavePoint(final long size, final long count, final long contentFlags) {
      this.size = size;
      this.count = count;
      this.contentFlags = contentFlags;
    }

    /** Sets all to 0. */
    public void clear() {
      size = 0;
      count = 0;
      contentFlags = 0;
    }

    /** Bytes before it. */
    public long getSize() {
      return size;
    }

    /** Updates before it. */
    public long getCount() {
      return count;
    }

    /** Kinds of updates before it. */
    public long getContentFlags() {
      return contentFlags;
    }

    /** Tells whether all is 0. */
    public boolean isCleared() {
      return (size | count | contentFlags) == 0;
    }
  }
}
