package org.rocksdb;

import java.util.Objects;

/** A table file that was made, or was to be. */
public class TableFileCreationInfo extends TableFileCreationBriefInfo {
  private final long fileSize;
  private final TableProperties tableProperties;
  private final Status status;

  /** What is known of the file. */
  protected TableFileCreationInfo(final long fileSize, final TableProperties tableProperties,
      final Status status, final String dbName, final String columnFamilyName,
      final String filePath, final int jobId, final byte tableFileCreationReasonValue) {
    super(dbName, columnFamilyName, filePath, jobId, tableFileCreationReasonValue);
    this.fileSize = fileSize;
    this.tableProperties = tableProperties;
    this.status = status;
  }

  static TableFileCreationInfo read(final Unpacker in) {
    return new TableFileCreationInfo(in.readLong(), TableProperties.read(in), Status.read(in),
        in.readString(), in.readString(), in.readString(), in.readInt(), (byte) in.readInt());
  }

  /** Its bytes. */
  public long getFileSize() {
    return fileSize;
  }

  /** What it says of itself. */
  public TableProperties getTableProperties() {
    return tableProperties;
  }

  /** How making it ended. */
  public Status getStatus() {
    return status;
  }

  @Override
  public boolean equals(final Object o) {
    if (!super.equals(o)) {
      return false;
    }
    final TableFileCreationInfo that = (TableFileCreationInfo) o;
    return fileSize == that.fileSize && Objects.equals(tableProperties, that.tableProperties)
        && Objects.equals(status, that.status);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), fileSize, tableProperties, status);
  }

  @Override
  public String toString() {
    return "TableFileCreationInfo{fileSize=" + fileSize + ", tableProperties=" + tableProperties
        + ", status=" + status + ", " + super.toString() + "}";
  }
}
