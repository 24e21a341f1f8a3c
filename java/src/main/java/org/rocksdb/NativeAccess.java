package org.rocksdb;

/** What classes of this library in other packages need; not for programs. */
public final class NativeAccess {
  private NativeAccess() {}

  /** A logger to the standard error output. */
  public static long newStderrLogger(final InfoLogLevel level, final String prefix) {
    return CallbackParts.stderrLogger(
        level.getValue(), Text.utf8(prefix == null ? "" : prefix + " "));
  }

  /** Sets the level of a logger. */
  public static void setLogLevel(final long logger, final InfoLogLevel level) {
    CallbackParts.setLogLevel(logger, level.getValue());
  }

  /** The level of a logger. */
  public static InfoLogLevel logLevel(final long logger) {
    return InfoLogLevel.of((byte) CallbackParts.logLevel(logger));
  }

  /** Closes a handle. */
  public static void close(final long handle) {
    Handles.close(handle);
  }
}
