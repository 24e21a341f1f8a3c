  /** Keys of any length. */
  public static final int VARIABLE_LENGTH = 0;
  /** Bits of the filter for each key. */
  public static final int DEFAULT_BLOOM_BITS_PER_KEY = 10;
  /** How full the hash table is. */
  public static final double DEFAULT_HASH_TABLE_RATIO = 0.75;
  /** Keys of one prefix from one entry of the index to the next. */
  public static final int DEFAULT_INDEX_SPARSENESS = 16;
  /** The bytes of a huge page; 0: none are asked for. */
  public static final int DEFAULT_HUGE_TLB_SIZE = 0;
  /** Keys stand whole. */
  public static final EncodingType DEFAULT_ENCODING_TYPE = EncodingType.kPlain;
  /** Files have an index. */
  public static final boolean DEFAULT_FULL_SCAN_MODE = false;
  /** The index is made when a file is opened. */
  public static final boolean DEFAULT_STORE_INDEX_IN_FILE = false;

  private int indexSparseness = DEFAULT_INDEX_SPARSENESS;
  private int hugePageTlbSize = DEFAULT_HUGE_TLB_SIZE;

  /** With the engine's defaults. */
  public PlainTableConfig() {}

  /**
   * Keys of a prefix from one index entry to the next.
   *
   * @param indexSparseness their number
   * @return this object
   */
  public PlainTableConfig setIndexSparseness(final int indexSparseness) {
    this.indexSparseness = indexSparseness;
    return this;
  }

  /**
   * Keys of a prefix from one index entry to the next.
   *
   * @return their number
   */
  public long indexSparseness() {
    return indexSparseness;
  }

  /**
   * Huge pages for the index.
   *
   * @param hugePageTlbSize their size in bytes; 0: none
   * @return this object
   */
  public PlainTableConfig setHugePageTlbSize(final int hugePageTlbSize) {
    this.hugePageTlbSize = hugePageTlbSize;
    return this;
  }

  /**
   * Huge pages for the index.
   *
   * @return their size in bytes; 0: none
   */
  public int hugePageTlbSize() {
    return hugePageTlbSize;
  }

  @Override
  protected long newTableFactoryHandle() {
    final long options = Fields.create({kind:PlainTableOptions});
    try {
      copyTo(options);
      Fields.set(options, {field:PlainTableOptions.index_sparseness}, indexSparseness);
      Fields.set(options, {field:PlainTableOptions.huge_page_tlb_size}, hugePageTlbSize);
      return TableFactories.plain(options);
    } finally {
      Handles.close(options);
    }
  }

  /** The settings that a factory of the engine's has. */
  static PlainTableConfig of(final long options) {
    final PlainTableConfig config = new PlainTableConfig();
    config.copyFrom(options);
    config.indexSparseness = (int) Fields.get(options, {field:PlainTableOptions.index_sparseness});
    config.hugePageTlbSize = (int) Fields.get(options, {field:PlainTableOptions.huge_page_tlb_size});
    return config;
  }
