package org.rocksdb;

import java.util.Objects;

/** A table file that is begun. */
public class TableFileCreationBriefInfo {
  private final String dbName;
  private final String columnFamilyName;
  private final String filePath;
  private final int jobId;
  private final TableFileCreationReason reason;

  /** What is known of the file. */
  protected TableFileCreationBriefInfo(final String dbName, final String columnFamilyName,
      final String filePath, final int jobId, final byte tableFileCreationReasonValue) {
    this.dbName = dbName;
    this.columnFamilyName = columnFamilyName;
    this.filePath = filePath;
    this.jobId = jobId;
    this.reason = TableFileCreationReason.of(tableFileCreationReasonValue);
  }

  static TableFileCreationBriefInfo read(final Unpacker in) {
    return new TableFileCreationBriefInfo(in.readString(), in.readString(), in.readString(),
        in.readInt(), (byte) in.readInt());
  }

  /** The database. */
  public String getDbName() {
    return dbName;
  }

  /** The family. */
  public String getColumnFamilyName() {
    return columnFamilyName;
  }

  /** The file. */
  public String getFilePath() {
    return filePath;
  }

  /** The job that makes it. */
  public int getJobId() {
    return jobId;
  }

  /** Why it is made. */
  public TableFileCreationReason getReason() {
    return reason;
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final TableFileCreationBriefInfo that = (TableFileCreationBriefInfo) o;
    return jobId == that.jobId && Objects.equals(dbName, that.dbName)
        && Objects.equals(columnFamilyName, that.columnFamilyName)
        && Objects.equals(filePath, that.filePath) && reason == that.reason;
  }

  @Override
  public int hashCode() {
    return Objects.hash(dbName, columnFamilyName, filePath, jobId, reason);
  }

  @Override
  public String toString() {
    return "TableFileCreationBriefInfo{dbName=" + dbName + ", columnFamilyName="
        + columnFamilyName + ", filePath=" + filePath + ", jobId=" + jobId + ", reason=" + reason
        + "}";
  }
}
