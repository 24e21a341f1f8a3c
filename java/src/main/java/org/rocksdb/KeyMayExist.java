package org.rocksdb;

import java.util.Objects;

/** Whether a key may be there, and how long its value is if that was at hand. */
public class KeyMayExist {
  /** What is known of the key. */
  public enum KeyMayExistEnum {
    /** The key is certainly not there. */
    kNotExist,
    /** The key may be there; its value is not known without a read of files. */
    kExistsWithoutValue,
    /** The key is there, and its value was at hand. */
    kExistsWithValue
  }

  /** Whether the key may be there, and whether its value is known. */
  public final KeyMayExistEnum exists;
  /** The bytes of the value, if it is known, else 0. */
  public final int valueLength;

  /**
   * An answer.
   *
   * @param exists what is known of the key
   * @param valueLength the size of the value, if it was at hand
   */
  public KeyMayExist(final KeyMayExistEnum exists, final int valueLength) {
    this.exists = exists;
    this.valueLength = valueLength;
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final KeyMayExist that = (KeyMayExist) o;
    return valueLength == that.valueLength && exists == that.exists;
  }

  @Override
  public int hashCode() {
    return Objects.hash(exists, valueLength);
  }
}
