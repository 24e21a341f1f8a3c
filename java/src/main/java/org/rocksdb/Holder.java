package org.rocksdb;

/**
 * A place for a value.
 *
 * @param <T> what it is
 */
public class Holder<T> {
  private T value;

  /** Empty. */
  public Holder() {}

  /**
   * With a value.
   *
   * @param value the value, or null
   */
  public Holder(final T value) {
    this.value = value;
  }

  /**
   * What is in it.
   *
   * @return the value, or null
   */
  public T getValue() {
    return value;
  }

  /**
   * Puts something into it.
   *
   * @param value the value, or null
   */
  public void setValue(final T value) {
    this.value = value;
  }
}
