package org.rocksdb;

/** Fields of the engine's option structs, by the numbers of the generated table. */
final class Fields {
  static {
    LibraryLoader.load();
  }

  private Fields() {}

  /** A new struct of a kind, with the engine's defaults. */
  static native long create(int kind);

  /** A struct of a kind with what another one has of it. */
  static native long copy(int kind, long from);

  /** Options from their two halves. */
  static native long join(long dbOptions, long familyOptions);

  static native long get(long handle, int field);

  static native void set(long handle, int field, long value);

  static native byte[] getText(long handle, int field);

  static native void setText(long handle, int field, byte[] text);

  static boolean getBoolean(final long handle, final int field) {
    return get(handle, field) != 0;
  }

  static void setBoolean(final long handle, final int field, final boolean value) {
    set(handle, field, value ? 1 : 0);
  }

  static double getDouble(final long handle, final int field) {
    return Double.longBitsToDouble(get(handle, field));
  }

  static void setDouble(final long handle, final int field, final double value) {
    set(handle, field, Double.doubleToRawLongBits(value));
  }

  static String getString(final long handle, final int field) {
    return Text.of(getText(handle, field));
  }

  static void setString(final long handle, final int field, final String value) {
    setText(handle, field, Text.utf8(value));
  }
}
