package org.rocksdb;

/** Where log lines go. */
public interface LoggerInterface {
  /**
   * Lines below a level are dropped.
   *
   * @param logLevel the level
   */
  void setInfoLogLevel(InfoLogLevel logLevel);

  /**
   * Lines below a level are dropped.
   *
   * @return the level
   */
  InfoLogLevel infoLogLevel();

  /**
   * The handle.
   *
   * @return a number without a meaning outside of this library
   */
  long getNativeHandle();

  /**
   * What kind it is.
   *
   * @return the kind
   */
  LoggerType getLoggerType();
}
