package org.rocksdb;

import java.util.HashMap;
import java.util.Map;

/** Tracks the table files of databases that share it, and paces deletions. */
public final class SstFileManager extends RocksObject {
  /** Files are deleted at once. */
  public static final long RATE_BYTES_PER_SEC_DEFAULT = 0;
  /** Trash of before is deleted, too. */
  public static final boolean DELETE_EXISTING_TRASH_DEFAULT = true;
  /** The part of the data that trash may have before files are deleted at once. */
  public static final double MAX_TRASH_DB_RATION_DEFAULT = 0.25;
  /** The bytes by which a large file is made shorter in one step. */
  public static final long BYTES_MAX_DELETE_CHUNK_DEFAULT = 64 * 1024 * 1024;

  /** For an environment. */
  public SstFileManager(final Env env) throws RocksDBException {
    this(env, null);
  }

  /** With a logger. */
  public SstFileManager(final Env env, final Logger logger) throws RocksDBException {
    this(env, logger, RATE_BYTES_PER_SEC_DEFAULT);
  }

  /** That deletes so many bytes a second; 0: at once. */
  public SstFileManager(final Env env, final Logger logger, final long rateBytesPerSec)
      throws RocksDBException {
    this(env, logger, rateBytesPerSec, MAX_TRASH_DB_RATION_DEFAULT);
  }

  /** That deletes at once where more than a share of all bytes waits for it. */
  public SstFileManager(final Env env, final Logger logger, final long rateBytesPerSec,
      final double maxTrashDbRatio) throws RocksDBException {
    this(env, logger, rateBytesPerSec, maxTrashDbRatio, BYTES_MAX_DELETE_CHUNK_DEFAULT);
  }

  /** That deletes larger files in parts. */
  public SstFileManager(final Env env, final Logger logger, final long rateBytesPerSec,
      final double maxTrashDbRatio, final long bytesMaxDeleteChunk) throws RocksDBException {
    super(FileManagerParts.create(env.nativeHandle_,
        logger == null ? 0 : logger.nativeHandle_, rateBytesPerSec, maxTrashDbRatio,
        bytesMaxDeleteChunk));
  }

  private long get(final int which) {
    return FileManagerParts.get(nativeHandle_, which);
  }

  private void set(final int which, final long value) {
    FileManagerParts.set(nativeHandle_, which, value);
  }

  /** Refuses to write more than so many bytes; 0: any. */
  public void setMaxAllowedSpaceUsage(final long maxAllowedSpace) {
    set(FileManagerParts.MAX_SPACE, maxAllowedSpace);
  }

  /** Keeps so many bytes for compactions. */
  public void setCompactionBufferSize(final long compactionBufferSize) {
    set(FileManagerParts.COMPACTION_BUFFER, compactionBufferSize);
  }

  /** Tells whether all allowed bytes are used. */
  public boolean isMaxAllowedSpaceReached() {
    return get(FileManagerParts.MAX_SPACE) != 0;
  }

  /** Tells whether they are with what compactions that run will write. */
  public boolean isMaxAllowedSpaceReachedIncludingCompactions() {
    return get(FileManagerParts.MAX_SPACE_COMPACTING) != 0;
  }

  /** The bytes of all files. */
  public long getTotalSize() {
    return get(FileManagerParts.TOTAL);
  }

  /** The files, and their bytes. */
  public Map<String, Long> getTrackedFiles() {
    final Unpacker in = new Unpacker(FileManagerParts.files(nativeHandle_));
    final Map<String, Long> files = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final String name = in.readString();
      files.put(name, in.readLong());
    }
    return files;
  }

  /** Bytes a second that are deleted. */
  public long getDeleteRateBytesPerSecond() {
    return get(FileManagerParts.DELETE_RATE);
  }

  /** Bytes a second that are deleted; 0: at once. */
  public void setDeleteRateBytesPerSecond(final long deleteRate) {
    set(FileManagerParts.DELETE_RATE, deleteRate);
  }

  /** The share of all bytes that may wait to be deleted. */
  public double getMaxTrashDBRatio() {
    return Double.longBitsToDouble(get(FileManagerParts.TRASH_RATIO));
  }

  /** The share of all bytes that may wait to be deleted. */
  public void setMaxTrashDBRatio(final double ratio) {
    set(FileManagerParts.TRASH_RATIO, Double.doubleToRawLongBits(ratio));
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
