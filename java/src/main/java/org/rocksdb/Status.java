package org.rocksdb;

import java.io.Serializable;
import java.util.Objects;

/** How a call of the engine ended. */
public class Status implements Serializable {
  private static final long serialVersionUID = 1L;

  static final Status OK = new Status(Code.Ok, SubCode.None, null);
  static final Status NOT_FOUND = new Status(Code.NotFound, SubCode.None, null);

  private final Code code;
  private final SubCode subCode;
  private final String state;

  /**
   * A status.
   *
   * @param code its kind
   * @param subCode what is known beside it
   * @param state the engine's text, or null
   */
  public Status(final Code code, final SubCode subCode, final String state) {
    this.code = code;
    this.subCode = subCode;
    this.state = state;
  }

  static Status read(final Unpacker in) {
    final Code code = Code.ofEngine(in.readInt());
    final SubCode subCode = SubCode.ofEngine(in.readInt());
    return new Status(code, subCode, in.readBoolean() ? in.readString() : null);
  }

  /** The exception for a packed status; the native library calls it. */
  static RocksDBException toException(final byte[] packed) {
    return new RocksDBException(read(new Unpacker(packed)));
  }

  /**
   * Its kind.
   *
   * @return the code
   */
  public Code getCode() {
    return code;
  }

  /**
   * What is known beside the code.
   *
   * @return the sub-code
   */
  public SubCode getSubCode() {
    return subCode;
  }

  /**
   * The engine's text.
   *
   * @return the text without the code, or null
   */
  public String getState() {
    return state;
  }

  /**
   * Code and sub-code as text.
   *
   * @return for example {@code TimedOut(LockTimeout)}
   */
  public String getCodeString() {
    return subCode == null || subCode == SubCode.None
        ? code.name()
        : code.name() + "(" + subCode.name() + ")";
  }

  @Override
  public boolean equals(final Object o) {
    if (this == o) {
      return true;
    }
    if (o == null || getClass() != o.getClass()) {
      return false;
    }
    final Status that = (Status) o;
    return code == that.code && subCode == that.subCode && Objects.equals(state, that.state);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, subCode, state);
  }

  /** Kinds of answers. */
  public enum Code {
    Ok((byte) 0),
    NotFound((byte) 1),
    Corruption((byte) 2),
    NotSupported((byte) 3),
    InvalidArgument((byte) 4),
    IOError((byte) 5),
    MergeInProgress((byte) 6),
    Incomplete((byte) 7),
    ShutdownInProgress((byte) 8),
    TimedOut((byte) 9),
    Aborted((byte) 10),
    Busy((byte) 11),
    Expired((byte) 12),
    TryAgain((byte) 13),
    ColumnFamilyDropped((byte) 14),
    Undefined((byte) 127);

    private final byte value;

    Code(final byte value) {
      this.value = value;
    }

    // The engine has another code at 14, and this one at 15.
    static Code ofEngine(final int value) {
      if (value == 15) {
        return ColumnFamilyDropped;
      }
      return value == ColumnFamilyDropped.value ? Undefined : ofValue(value);
    }

    private static Code ofValue(final int value) {
      for (final Code each : values()) {
        if (each.value == value) {
          return each;
        }
      }
      return Undefined;
    }

    /**
     * The code with this value.
     *
     * @param value as {@link #getValue} tells it
     * @return the code
     * @throws IllegalArgumentException if none has it
     */
    public static Code getCode(final byte value) {
      final Code code = ofValue(value);
      if (code.value != value) {
        throw new IllegalArgumentException("Status.Code has no constant with value " + value);
      }
      return code;
    }

    /**
     * The value that stands for it outside of Java.
     *
     * @return the value
     */
    public byte getValue() {
      return value;
    }
  }

  /** What is known beside the code. */
  public enum SubCode {
    None((byte) 0),
    MutexTimeout((byte) 1),
    LockTimeout((byte) 2),
    LockLimit((byte) 3),
    NoSpace((byte) 4),
    Deadlock((byte) 5),
    StaleFile((byte) 6),
    MemoryLimit((byte) 7),
    SpaceLimit((byte) 8),
    PathNotFound((byte) 9),
    MergeOperandsInsufficientCapacity((byte) 10),
    ManualCompactionPaused((byte) 11),
    Overwritten((byte) 12),
    TxnNotPrepared((byte) 13),
    IOFenced((byte) 14),
    MergeOperatorFailed((byte) 15),
    MergeOperandThresholdExceeded((byte) 16),
    Undefined((byte) 127);

    private final byte value;

    SubCode(final byte value) {
      this.value = value;
    }

    static SubCode ofEngine(final int value) {
      for (final SubCode each : values()) {
        if (each.value == value) {
          return each;
        }
      }
      return Undefined;
    }

    /**
     * The sub-code with this value.
     *
     * @param value as {@link #getValue} tells it
     * @return the sub-code
     * @throws IllegalArgumentException if none has it
     */
    public static SubCode getSubCode(final byte value) {
      final SubCode code = ofEngine(value);
      if (code.value != value) {
        throw new IllegalArgumentException("Status.SubCode has no constant with value " + value);
      }
      return code;
    }

    /**
     * The value that stands for it outside of Java.
     *
     * @return the value
     */
    public byte getValue() {
      return value;
    }
  }
}
