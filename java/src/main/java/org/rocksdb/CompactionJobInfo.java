package org.rocksdb;

import java.util.List;
import java.util.Map;

/** One compaction. */
public class CompactionJobInfo extends RocksObject {
  /** Nothing yet; {@link RocksDB#compactFiles} fills it. */
  public CompactionJobInfo() {
    super(JobInfoParts.create());
  }

  private CompactionJobInfo(final long nativeHandle) {
    super(nativeHandle);
  }

  /** A copy that goes when nobody can reach it. */
  static CompactionJobInfo lent(final long nativeHandle) {
    return Reclaimer.watch(new CompactionJobInfo(nativeHandle));
  }

  private Unpacker packed() {
    return new Unpacker(JobInfoParts.packed(nativeHandle_));
  }

  /** The name of the family. */
  public byte[] columnFamilyName() {
    return JobInfoParts.familyName(nativeHandle_);
  }

  /** How it ended. */
  public Status status() {
    return Status.read(packed());
  }

  /** The thread. */
  public long threadId() {
    return JobInfoParts.number(nativeHandle_, 0);
  }

  /** The job. */
  public int jobId() {
    return (int) JobInfoParts.number(nativeHandle_, 1);
  }

  /** The highest level of its inputs. */
  public int baseInputLevel() {
    return (int) JobInfoParts.number(nativeHandle_, 2);
  }

  /** The level of its outputs. */
  public int outputLevel() {
    return (int) JobInfoParts.number(nativeHandle_, 3);
  }

  /** The files that it read. */
  public List<String> inputFiles() {
    final Unpacker in = packed();
    Status.read(in);
    return in.readStrings();
  }

  /** The files that it made. */
  public List<String> outputFiles() {
    final Unpacker in = packed();
    Status.read(in);
    in.readStrings();
    return in.readStrings();
  }

  /** What its files say of themselves. */
  public Map<String, TableProperties> tableProperties() {
    return Maintenance.tables(JobInfoParts.tables(nativeHandle_));
  }

  /** Why it ran. */
  public CompactionReason compactionReason() {
    return CompactionReason.of((byte) JobInfoParts.number(nativeHandle_, 4));
  }

  /** The codec of its outputs. */
  public CompressionType compression() {
    return CompressionType.of((byte) JobInfoParts.number(nativeHandle_, 5));
  }

  /** Its figures. */
  public CompactionJobStats stats() {
    return Reclaimer.watch(new CompactionJobStats(JobInfoParts.stats(nativeHandle_)));
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
