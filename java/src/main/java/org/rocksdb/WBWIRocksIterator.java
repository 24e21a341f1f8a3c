package org.rocksdb;

/** An iterator over the updates in a {@link WriteBatchWithIndex}. */
public class WBWIRocksIterator extends AbstractRocksIterator<WriteBatchWithIndex> {
  private final WriteEntry entry = new WriteEntry();

  /**
   * Holds an iterator.
   *
   * @param wbwi the batch
   * @param nativeHandle its handle
   */
  protected WBWIRocksIterator(final WriteBatchWithIndex wbwi, final long nativeHandle) {
    super(wbwi, nativeHandle);
  }

  /**
   * The update that it is at.
   *
   * @return the same object each time, whose slices change when this is called again
   */
  public WriteEntry entry() {
    final Unpacker in = new Unpacker(IndexedBatches.entry(nativeHandle_));
    entry.type = WriteType.ofEngine(in.readInt());
    entry.key = entry.show(entry.key, in.readBytes());
    final byte[] value = in.readBytes();
    entry.value =
        entry.type.hasValue() ? entry.show(entry.value, value) : entry.hide(entry.value);
    return entry;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  @Override
  public void close() {
    entry.close();
    super.close();
  }

  /** What an update is. */
  public enum WriteType {
    /** A value is put. */
    PUT((byte) 0),
    /** A merge operand is added. */
    MERGE((byte) 1),
    /** A key is deleted, whatever is there. */
    DELETE((byte) 2),
    /** A key is deleted that was put once. */
    SINGLE_DELETE((byte) 3),
    /** All keys of a range are deleted. */
    DELETE_RANGE((byte) 4),
    /** Bytes for the log alone. */
    LOG((byte) 5),
    /** The name of a transaction. */
    XID((byte) 6);

    private final byte id;

    WriteType(final byte id) {
      this.id = id;
    }

    /**
     * The constant with a number.
     *
     * @param id the number
     * @return the constant
     * @throws IllegalArgumentException if no constant has it
     */
    public static WriteType fromId(final byte id) {
      for (final WriteType each : values()) {
        if (each.id == id) {
          return each;
        }
      }
      throw new IllegalArgumentException("No WriteType specified with id=" + id);
    }

    // An entity of several columns is a put for Java, which sees its default column.
    private static final int ENGINE_ENTITY = 7;

    static WriteType ofEngine(final int type) {
      return type == ENGINE_ENTITY ? PUT : fromId((byte) type);
    }

    boolean hasValue() {
      return this != DELETE && this != SINGLE_DELETE;
    }
  }

  /** An update: what it is, and the bytes of its key and value. */
  public static class WriteEntry implements AutoCloseable {
    private WriteType type;
    private DirectSlice key;
    private DirectSlice value;

    private WriteEntry() {
      this(null, DirectSlice.NONE, DirectSlice.NONE);
    }

    /**
     * An update.
     *
     * @param type what it is
     * @param key the key
     * @param value the value; {@link DirectSlice#NONE} for a deletion
     */
    public WriteEntry(final WriteType type, final DirectSlice key, final DirectSlice value) {
      this.type = type;
      this.key = key;
      this.value = value;
    }

    /** Tells what it is. */
    public WriteType getType() {
      return type;
    }

    /** Tells the key. */
    public DirectSlice getKey() {
      return key;
    }

    /**
     * The value.
     *
     * @return null for a deletion
     */
    public DirectSlice getValue() {
      return value.isOwningHandle() ? value : null;
    }

    private DirectSlice show(final DirectSlice slice, final byte[] bytes) {
      final DirectSlice shown = slice == DirectSlice.NONE ? new DirectSlice("") : slice;
      shown.show(bytes);
      return shown;
    }

    private DirectSlice hide(final DirectSlice slice) {
      if (slice != DirectSlice.NONE) {
        slice.close();
      }
      return slice;
    }

    private static boolean areEqual(final DirectSlice a, final DirectSlice b) {
      return a.isOwningHandle() && b.isOwningHandle()
          ? a.equals(b) : a.isOwningHandle() == b.isOwningHandle();
    }

    @Override
    public int hashCode() {
      return key.isOwningHandle() ? key.hashCode() : 0;
    }

    @Override
    public boolean equals(final Object other) {
      if (this == other) {
        return true;
      }
      if (!(other instanceof WriteEntry)) {
        return false;
      }
      final WriteEntry that = (WriteEntry) other;
      return type == that.type && areEqual(key, that.key) && areEqual(value, that.value);
    }

    @Override
    public void close() {
      hide(value);
      hide(key);
    }
  }
}
