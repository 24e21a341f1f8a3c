  private final String path_;
  private Env backupEnv_;
  private Logger infoLog_;
  private RateLimiter backupRateLimiter_;
  private RateLimiter restoreRateLimiter_;

  /**
   * For a directory.
   *
   * @param path an existing directory that can be written
   * @throws IllegalArgumentException if it is none
   */
  public BackupEngineOptions(final String path) {
    super(create(path));
    path_ = path;
  }

  private static long create(final String path) {
    final File file = path == null ? null : new File(path);
    if (file == null || !file.exists() || !file.isDirectory() || !file.canWrite()) {
      throw new IllegalArgumentException("Invalid path provided.");
    }
    final long handle = Fields.create({kind:BackupEngineOptions});
    Fields.setString(handle, {field:BackupEngineOptions.backup_dir}, path);
    return handle;
  }

  /**
   * The directory of the backups.
   *
   * @return its path
   */
  public String backupDir() {
    return Fields.getString(nativeHandle_, {field:BackupEngineOptions.backup_dir});
  }

  /**
   * The environment of the backups.
   *
   * @param env the environment, which is kept alive
   * @return this object
   */
  public BackupEngineOptions setBackupEnv(final Env env) {
    FileParts.setBackupObject(nativeHandle_, FileParts.BACKUP_ENV, handleOf(env));
    backupEnv_ = env;
    return this;
  }

  /**
   * The environment of the backups.
   *
   * @return the object that was set, or null
   */
  public Env backupEnv() {
    return backupEnv_;
  }

  /**
   * Where messages go.
   *
   * @param logger the logger, which is kept alive
   * @return this object
   */
  public BackupEngineOptions setInfoLog(final Logger logger) {
    FileParts.setBackupObject(
        nativeHandle_, FileParts.INFO_LOG, logger == null ? 0 : logger.nativeHandle_);
    infoLog_ = logger;
    return this;
  }

  /**
   * Where messages go.
   *
   * @return the object that was set, or null
   */
  public Logger infoLog() {
    return infoLog_;
  }

  /**
   * Bytes a second that making backups may take.
   *
   * @param backupRateLimit the rate; 0 and less: any
   * @return this object
   */
  public BackupEngineOptions setBackupRateLimit(final long backupRateLimit) {
    Fields.set(nativeHandle_, {field:BackupEngineOptions.backup_rate_limit},
        Math.max(0, backupRateLimit));
    return this;
  }

  /**
   * Limits the rate of making backups, instead of the number.
   *
   * @param backupRateLimiter the limiter
   * @return this object
   */
  public BackupEngineOptions setBackupRateLimiter(final RateLimiter backupRateLimiter) {
    FileParts.setBackupObject(
        nativeHandle_, FileParts.BACKUP_RATE_LIMITER, handleOf(backupRateLimiter));
    backupRateLimiter_ = backupRateLimiter;
    return this;
  }

  /**
   * Limits the rate of making backups.
   *
   * @return the object that was set, or null
   */
  public RateLimiter backupRateLimiter() {
    return backupRateLimiter_;
  }

  /**
   * Bytes a second that restoring may take.
   *
   * @param restoreRateLimit the rate; 0 and less: any
   * @return this object
   */
  public BackupEngineOptions setRestoreRateLimit(final long restoreRateLimit) {
    Fields.set(nativeHandle_, {field:BackupEngineOptions.restore_rate_limit},
        Math.max(0, restoreRateLimit));
    return this;
  }

  /**
   * Limits the rate of restoring, instead of the number.
   *
   * @param restoreRateLimiter the limiter
   * @return this object
   */
  public BackupEngineOptions setRestoreRateLimiter(final RateLimiter restoreRateLimiter) {
    FileParts.setBackupObject(
        nativeHandle_, FileParts.RESTORE_RATE_LIMITER, handleOf(restoreRateLimiter));
    restoreRateLimiter_ = restoreRateLimiter;
    return this;
  }

  /**
   * Limits the rate of restoring.
   *
   * @return the object that was set, or null
   */
  public RateLimiter restoreRateLimiter() {
    return restoreRateLimiter_;
  }
