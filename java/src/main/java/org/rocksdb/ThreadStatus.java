package org.rocksdb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a thread of the engine does. */
public class ThreadStatus {
  private final long threadId;
  private final ThreadType threadType;
  private final String dbName;
  private final String cfName;
  private final OperationType operationType;
  private final long operationElapsedTime;
  private final OperationStage operationStage;
  private final long[] operationProperties;
  private final StateType stateType;

  ThreadStatus(final Unpacker in) {
    threadId = in.readLong();
    threadType = ThreadType.of((byte) in.readInt());
    dbName = in.readString();
    cfName = in.readString();
    operationType = OperationType.of((byte) in.readInt());
    operationElapsedTime = in.readLong();
    operationStage = OperationStage.of((byte) in.readInt());
    operationProperties = new long[in.readInt()];
    for (int i = 0; i < operationProperties.length; i++) {
      operationProperties[i] = in.readLong();
    }
    stateType = StateType.of((byte) in.readInt());
  }

  static List<ThreadStatus> list(final Unpacker in) {
    final List<ThreadStatus> threads = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      threads.add(new ThreadStatus(in));
    }
    return threads;
  }

  /** Its number. */
  public long getThreadId() {
    return threadId;
  }

  /** Its pool. */
  public ThreadType getThreadType() {
    return threadType;
  }

  /** The database that it works for. */
  public String getDbName() {
    return dbName;
  }

  /** The family that it works for. */
  public String getCfName() {
    return cfName;
  }

  /** What it does. */
  public OperationType getOperationType() {
    return operationType;
  }

  /** For how many microseconds. */
  public long getOperationElapsedTime() {
    return operationElapsedTime;
  }

  /** How far it is. */
  public OperationStage getOperationStage() {
    return operationStage;
  }

  /** Figures of the operation. */
  public long[] getOperationProperties() {
    return operationProperties;
  }

  /** What it waits for. */
  public StateType getStateType() {
    return stateType;
  }

  private static String name(final int kind, final int first, final int second) {
    return Text.of(EnvParts.nameOf(kind, first, second));
  }

  /** A pool as text. */
  public static String getThreadTypeName(final ThreadType threadType) {
    return name(0, threadType.getValue(), 0);
  }

  /** An operation as text. */
  public static String getOperationName(final OperationType operationType) {
    return name(1, operationType.getValue(), 0);
  }

  /** Microseconds as text. */
  public static String microsToString(final long operationElapsedTime) {
    return Text.of(EnvParts.microsText(operationElapsedTime));
  }

  /** A stage as text. */
  public static String getOperationStageName(final OperationStage operationStage) {
    return name(2, operationStage.getValue(), 0);
  }

  /** What a figure of an operation means. */
  public static String getOperationPropertyName(final OperationType operationType, final int i) {
    return name(3, operationType.getValue(), i);
  }

  /** The figures of an operation by what they mean. */
  public static Map<String, Long> interpretOperationProperties(
      final OperationType operationType, final long[] operationProperties) {
    final Map<String, Long> figures = new HashMap<>();
    for (int i = 0; i < operationProperties.length; i++) {
      final String name = getOperationPropertyName(operationType, i);
      if (!name.isEmpty()) {
        figures.put(name, operationProperties[i]);
      }
    }
    return figures;
  }

  /** A state as text. */
  public static String getStateName(final StateType stateType) {
    return name(4, stateType.getValue(), 0);
  }
}
