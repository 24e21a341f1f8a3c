{enum:ConfigOptions$Depth}
  private Env env_;

  /**
   * Where options are read from. Default: {@link Env#getDefault()}.
   *
   * @param env the environment, which is kept alive
   * @return this object
   */
  public ConfigOptions setEnv(final Env env) {
    FileParts.setConfigEnv(nativeHandle_, env.nativeHandle_);
    env_ = env;
    return this;
  }

  /**
   * Where options are read from.
   *
   * @return the object that was set
   */
  public Env getEnv() {
    return env_ == null ? Env.getDefault() : env_;
  }

  /**
   * How alike options must be.
   *
   * @param level the level
   * @return this object
   */
  public ConfigOptions setSanityLevel(final SanityLevel level) {
    FileParts.setSanityLevel(nativeHandle_, level.ordinal());
    return this;
  }

  /**
   * How alike options must be.
   *
   * @return the level
   */
  public SanityLevel sanityLevel() {
    return SanityLevel.values()[FileParts.getSanityLevel(nativeHandle_)];
  }
