package org.rocksdb;

/** The answer of a transaction for one key. */
public class GetStatus {
  public final Status status;
  public final int requiredSize;

  GetStatus(final Status status, final int requiredSize) {
    this.status = status;
    this.requiredSize = requiredSize;
  }

  static GetStatus ofSize(final int size) {
    return size < 0 ? new GetStatus(Status.NOT_FOUND, 0) : new GetStatus(Status.OK, size);
  }
}
