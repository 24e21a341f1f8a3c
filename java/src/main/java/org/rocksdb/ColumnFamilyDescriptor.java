package org.rocksdb;

import java.util.Arrays;

/** The name of a column family, and its options. */
public class ColumnFamilyDescriptor {
  private final byte[] name;
  // Null until somebody asks: the engine's defaults need no object.
  private ColumnFamilyOptions options;

  /**
   * With default options.
   *
   * @param columnFamilyName the name
   */
  public ColumnFamilyDescriptor(final byte[] columnFamilyName) {
    this(columnFamilyName, null);
  }

  /**
   * With options.
   *
   * @param columnFamilyName the name
   * @param columnFamilyOptions the options, which the caller closes
   */
  public ColumnFamilyDescriptor(
      final byte[] columnFamilyName, final ColumnFamilyOptions columnFamilyOptions) {
    this.name = columnFamilyName;
    this.options = columnFamilyOptions;
  }

  /**
   * The name.
   *
   * @return any bytes
   */
  public byte[] getName() {
    return name;
  }

  /**
   * The options.
   *
   * @return the object that was given; else one that is closed when it is not reachable
   */
  public synchronized ColumnFamilyOptions getOptions() {
    if (options == null) {
      options = Reclaimer.watch(new ColumnFamilyOptions());
    }
    return options;
  }

  synchronized long optionsHandle() {
    return options == null ? 0 : options.nativeHandle_;
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final ColumnFamilyDescriptor that = (ColumnFamilyDescriptor) o;
    return Arrays.equals(name, that.name) && optionsHandle() == that.optionsHandle();
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(optionsHandle()) + Arrays.hashCode(name);
  }
}
