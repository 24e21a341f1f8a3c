package org.rocksdb;

/**
 * Gets log lines in Java. It may be closed while databases use it. After its first exception it
 * gets no more lines.
 */
public abstract class Logger extends RocksCallbackObject implements LoggerInterface {
  /**
   * At the level of options.
   *
   * @param options the options
   * @deprecated give the level
   */
  @Deprecated
  public Logger(final Options options) {
    this(options.infoLogLevel());
  }

  /**
   * At the level of options.
   *
   * @param dboptions the options
   * @deprecated give the level
   */
  @Deprecated
  public Logger(final DBOptions dboptions) {
    this(dboptions.infoLogLevel());
  }

  /**
   * At a level.
   *
   * @param logLevel lines below it are dropped
   */
  public Logger(final InfoLogLevel logLevel) {
    super(logLevel.getValue());
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return newLogger(nativeParameterHandles[0]);
  }

  @Override
  public void setInfoLogLevel(final InfoLogLevel logLevel) {
    setInfoLogLevel(nativeHandle_, logLevel.getValue());
  }

  @Override
  public InfoLogLevel infoLogLevel() {
    return InfoLogLevel.getInfoLogLevel(infoLogLevel(nativeHandle_));
  }

  @Override
  public long getNativeHandle() {
    return nativeHandle_;
  }

  @Override
  public final LoggerType getLoggerType() {
    return LoggerType.JAVA_IMPLEMENTATION;
  }

  /**
   * Gets a line, on whichever thread wrote it.
   *
   * @param logLevel its level
   * @param logMsg its text
   */
  protected abstract void log(InfoLogLevel logLevel, String logMsg);

  /**
   * Makes the native part.
   *
   * @param logLevel the level
   * @return its handle
   */
  protected long newLogger(final long logLevel) {
    return CallbackParts.logger(this, (int) logLevel);
  }

  /**
   * Sets the level of a logger.
   *
   * @param handle its handle
   * @param logLevel the level
   */
  protected void setInfoLogLevel(final long handle, final byte logLevel) {
    CallbackParts.setLogLevel(handle, logLevel);
  }

  /**
   * The level of a logger.
   *
   * @param handle its handle
   * @return the level
   */
  protected byte infoLogLevel(final long handle) {
    return (byte) CallbackParts.logLevel(handle);
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }
}
