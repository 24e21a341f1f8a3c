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
    /** The call did what it was asked for. */
    Ok((byte) 0),
    /** There is no such key, file or family. */
    NotFound((byte) 1),
    /** Data on disk are damaged, or not what they should be. */
    Corruption((byte) 2),
    /** The database, or an object of the program's, cannot do it. */
    NotSupported((byte) 3),
    /** The call, or an option, asks for what makes no sense. */
    InvalidArgument((byte) 4),
    /** The file system answered with an error. */
    IOError((byte) 5),
    /** The value is not known yet, since merge operands wait for what they are merged with. */
    MergeInProgress((byte) 6),
    /** The answer would need what the call may not do, such as to read a file or to wait. */
    Incomplete((byte) 7),
    /** The database is being closed. */
    ShutdownInProgress((byte) 8),
    /** A deadline passed, or a lock was not to be had in time. */
    TimedOut((byte) 9),
    /** The work was given up before its end. */
    Aborted((byte) 10),
    /** Another one is in the way: a transaction with the same keys, or work that goes on. */
    Busy((byte) 11),
    /** The transaction's time was over before it was done. */
    Expired((byte) 12),
    /** The same call may succeed later. */
    TryAgain((byte) 13),
    /** The column family was dropped. */
    ColumnFamilyDropped((byte) 14),
    /** The engine has a code that Java has no constant for. */
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
    /** Nothing is known beside the code. */
    None((byte) 0),
    /** A mutex was not to be had in time. */
    MutexTimeout((byte) 1),
    /** The lock of a key was not to be had in time. */
    LockTimeout((byte) 2),
    /** There are as many locks as there may be. */
    LockLimit((byte) 3),
    /** The device is full. */
    NoSpace((byte) 4),
    /** Transactions wait for each other's locks in a circle. */
    Deadlock((byte) 5),
    /** A file on another machine is gone, and its handle with it. */
    StaleFile((byte) 6),
    /** A limit of memory is reached. */
    MemoryLimit((byte) 7),
    /** The database's files take as much space as they may. */
    SpaceLimit((byte) 8),
    /** There is no such file or directory. */
    PathNotFound((byte) 9),
    /** There are more merge operands than the caller has room for. */
    MergeOperandsInsufficientCapacity((byte) 10),
    /** Manual compactions are stopped for the time being. */
    ManualCompactionPaused((byte) 11),
    /** It is no error, but the value was overwritten. */
    Overwritten((byte) 12),
    /** The transaction has to be prepared before it is committed. */
    TxnNotPrepared((byte) 13),
    /** The storage does not let this process write any more. */
    IOFenced((byte) 14),
    /** The merge operator could not merge. */
    MergeOperatorFailed((byte) 15),
    /** It is no error: the read merged more operands than its threshold. */
    MergeOperandThresholdExceeded((byte) 16),
    /** The engine has a sub-code that Java has no constant for. */
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
