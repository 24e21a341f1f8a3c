package org.rocksdb;

import java.util.Arrays;
import java.util.Objects;

/** A column family of an open database. Closing the database closes it too. */
public class ColumnFamilyHandle extends RocksObject {
  private final RocksDB rocksDB_;

  ColumnFamilyHandle(final RocksDB rocksDB, final long nativeHandle) {
    super(nativeHandle);
    rocksDB_ = rocksDB;
  }

  /** The default family's, which the database keeps. */
  static ColumnFamilyHandle borrowed(final RocksDB rocksDB, final long nativeHandle) {
    final ColumnFamilyHandle handle = new ColumnFamilyHandle(rocksDB, nativeHandle);
    handle.disOwnNativeHandle();
    return handle;
  }

  RocksDB database() {
    return rocksDB_;
  }

  /**
   * The name.
   *
   * @return any bytes
   * @throws RocksDBException not thrown
   */
  public byte[] getName() throws RocksDBException {
    return Databases.familyName(nativeHandle_);
  }

  /**
   * The number that files know it by.
   *
   * @return 0 for the default family
   */
  public int getID() {
    return Databases.familyId(nativeHandle_);
  }

  /**
   * Name and options as they are now.
   *
   * @return a descriptor whose options are closed when they are not reachable
   * @throws RocksDBException if the engine cannot tell
   */
  public ColumnFamilyDescriptor getDescriptor() throws RocksDBException {
    return new ColumnFamilyDescriptor(getName(),
        Reclaimer.watch(new ColumnFamilyOptions(Databases.familyOptions(nativeHandle_))));
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final ColumnFamilyHandle that = (ColumnFamilyHandle) o;
    return Databases.databaseOfFamily(nativeHandle_) == Databases.databaseOfFamily(
               that.nativeHandle_)
        && getID() == that.getID() && Arrays.equals(name(), that.name());
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        Databases.databaseOfFamily(nativeHandle_), getID(), Arrays.hashCode(name()));
  }

  private byte[] name() {
    return Databases.familyName(nativeHandle_);
  }

  /**
   * Whether it is the default family's.
   *
   * @return true for number 0
   */
  protected boolean isDefaultColumnFamily() {
    return getID() == 0;
  }

  @Override
  protected void disposeInternal() {
    super.disposeInternal();
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
