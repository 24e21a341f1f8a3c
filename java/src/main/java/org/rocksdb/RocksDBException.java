package org.rocksdb;

/** What the engine answered instead of doing what it was asked. */
public class RocksDBException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Status status;

  /**
   * With a text alone.
   *
   * @param message the text
   */
  public RocksDBException(final String message) {
    this(message, null);
  }

  /**
   * With a text and a status.
   *
   * @param message the text
   * @param status what the engine answered, or null
   */
  public RocksDBException(final String message, final Status status) {
    super(message);
    this.status = status;
  }

  /**
   * With a status, whose text is the message; else its code is.
   *
   * @param status what the engine answered
   */
  public RocksDBException(final Status status) {
    super(status.getState() != null ? status.getState() : status.getCodeString());
    this.status = status;
  }

  /**
   * What the engine answered.
   *
   * @return the status, or null if the exception is not of the engine's making
   */
  public Status getStatus() {
    return status;
  }
}
