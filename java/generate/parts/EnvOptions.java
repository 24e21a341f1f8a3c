  private RateLimiter rateLimiter_;

  /**
   * Takes over what the options of a database say.
   *
   * @param dbOptions the options
   */
  public EnvOptions(final DBOptions dbOptions) {
    super(FileParts.envOptionsOf(dbOptions.nativeHandle_));
  }

  /**
   * Limits the rate of input and output.
   *
   * @param rateLimiter the limiter
   * @return this object
   */
  public EnvOptions setRateLimiter(final RateLimiter rateLimiter) {
    FileParts.setRateLimiter(nativeHandle_, handleOf(rateLimiter));
    this.rateLimiter_ = rateLimiter;
    return this;
  }

  /**
   * Limits the rate of input and output.
   *
   * @return the object that was set, or null
   */
  public RateLimiter rateLimiter() {
    return rateLimiter_;
  }
