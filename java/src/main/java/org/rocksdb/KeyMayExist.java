package org.rocksdb;

import java.util.Objects;

/** Whether a key may be there, and how long its value is if that was at hand. */
public class KeyMayExist {
  /** What is known of the key. */
  public enum KeyMayExistEnum { kNotExist, kExistsWithoutValue, kExistsWithValue }

  public final KeyMayExistEnum exists;
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
