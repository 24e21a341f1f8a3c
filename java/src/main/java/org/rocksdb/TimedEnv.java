package org.rocksdb;

/** Measures, in the counters of the thread, what operations on files take. */
public class TimedEnv extends Env {
  /**
   * Over another environment.
   *
   * @param baseEnv what is measured
   */
  public TimedEnv(final Env baseEnv) {
    super(EnvParts.timed(baseEnv.nativeHandle_));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
