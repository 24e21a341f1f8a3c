package org.rocksdb;

/**
 * Decides what a put stores where {@code inplaceUpdateSupport} is set: what is put is a change to
 * the value that the key has. A program has at most 64 of them at a time; one that is closed counts
 * as long as options or databases use it.
 *
 * <p>It is called under a lock: it must not use the database. The log has the change alone, and
 * what it comes to is asked again when the log is replayed: the answer may depend on nothing but
 * the arguments. What it throws leaves the call of the thread that asks, which may write for other
 * threads, too; and the database takes no more writes.
 */
public abstract class AbstractInplaceCallback extends RocksCallbackObject {
  /** A callback. */
  protected AbstractInplaceCallback() {
    super();
  }

  @Override
  protected long initializeNative(final long... nativeParameterHandles) {
    return CallbackParts.inplaceCallback(this);
  }

  /**
   * The value that a key has from now on.
   *
   * @param existingValue the value that it has, or null for none
   * @param deltaValue what is put
   * @return the new value; null: nothing changes
   */
  public abstract byte[] update(byte[] existingValue, byte[] deltaValue);
}
