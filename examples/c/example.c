/* Opens a database, writes, and reads what it wrote, in key order.
   Usage: example DIRECTORY */

#include <rocksdb/c.h>
#include <stdio.h>

/* Ends the program after an error. */
static int Failed(const char* what, char* err) {
  if (err == NULL) return 0;
  fprintf(stderr, "%s: %s\n", what, err);
  rocksdb_free(err);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  /* Compactions leave the page cache to this program. */
  rocksdb_options_set_compaction_read_access(options, 1);
  rocksdb_t* db = rocksdb_open(options, argv[1], &err);
  if (Failed("open", err)) return 1;

  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_put(db, write, "stone", 5, "basalt", 6, &err);
  if (Failed("put", err)) return 1;
  rocksdb_put(db, write, "sand", 4, "quartz", 6, &err);
  if (Failed("put", err)) return 1;

  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek_to_first(it); rocksdb_iter_valid(it);
       rocksdb_iter_next(it)) {
    const rocksdb_slice_t key = rocksdb_iter_key_slice(it);
    const rocksdb_slice_t value = rocksdb_iter_value_slice(it);
    printf("%.*s = %.*s\n", (int)key.size, key.data, (int)value.size,
           value.data);
  }
  rocksdb_iter_get_error(it, &err);
  if (Failed("iterate", err)) return 1;

  rocksdb_iter_destroy(it);
  rocksdb_readoptions_destroy(read);
  rocksdb_writeoptions_destroy(write);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  return 0;
}
