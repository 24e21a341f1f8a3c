package org.rocksdb;

/** The answer of a transaction for one key. */
public class GetStatus {
  /** How the lookup went. */
  public final Status status;
  /** The bytes of the whole value. */
  public final int requiredSize;

  GetStatus(final Status status, final int requiredSize) {
    this.status = status;
    this.requiredSize = requiredSize;
  }

  static GetStatus ofSize(final int size) {
    return size < 0 ? new GetStatus(Status.NOT_FOUND, 0) : new GetStatus(Status.OK, size);
  }
}
