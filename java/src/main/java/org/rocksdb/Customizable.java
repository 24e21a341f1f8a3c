package org.rocksdb;

/**
 * An object of the engine's that is made from text: its name, or {@code id=name;option=value}
 * pairs. Names are those that the engine has, and those that a program's own native library has
 * registered there. It may be closed while options or databases use it.
 */
public abstract class Customizable extends RocksObject {
  private final int kind;

  Customizable(final int kind, final String id) throws RocksDBException {
    this(kind, NamedObjects.create(kind, Text.utf8(id)));
  }

  Customizable(final int kind, final long handle) {
    super(handle);
    this.kind = kind;
  }

  /**
   * What it is.
   *
   * @return text from which another one like it can be made
   */
  public String getId() {
    return Text.of(NamedObjects.id(kind, nativeHandle_));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
