  /**
   * The order of keys in the transaction's batch.
   *
   * @param comparator the order, which is kept alive
   * @return this object
   */
  public OptimisticTransactionOptions setComparator(final AbstractComparator comparator) {
    FileParts.setTransactionComparator(nativeHandle_, comparator.nativeHandle_);
    return this;
  }
