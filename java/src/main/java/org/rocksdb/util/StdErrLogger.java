package org.rocksdb.util;

import org.rocksdb.InfoLogLevel;
import org.rocksdb.LoggerInterface;
import org.rocksdb.LoggerType;
import org.rocksdb.RocksObject;
import org.rocksdb.NativeAccess;

/** Writes log lines to the standard error output. */
public class StdErrLogger extends RocksObject implements LoggerInterface {
  /**
   * At a level.
   *
   * @param logLevel lines below it are dropped
   */
  public StdErrLogger(final InfoLogLevel logLevel) {
    this(logLevel, null);
  }

  /**
   * At a level, with text before each line.
   *
   * @param logLevel lines below it are dropped
   * @param logPrefix the text; may be null
   */
  public StdErrLogger(final InfoLogLevel logLevel, final String logPrefix) {
    super(NativeAccess.newStderrLogger(logLevel, logPrefix));
  }

  @Override
  public void setInfoLogLevel(final InfoLogLevel logLevel) {
    NativeAccess.setLogLevel(nativeHandle_, logLevel);
  }

  @Override
  public InfoLogLevel infoLogLevel() {
    return NativeAccess.logLevel(nativeHandle_);
  }

  @Override
  public LoggerType getLoggerType() {
    return LoggerType.STDERR_IMPLEMENTATION;
  }

  @Override
  protected void disposeInternal(final long handle) {
    NativeAccess.close(handle);
  }
}
