/* Uses a handle after it was destroyed: main HANDLE DIRECTORY. Under
 * AddressSanitizer that ends the program with a report, as handles are objects
 * of the heap that the library neither keeps nor uses again. */
#include <stdio.h>
#include <string.h>

#include "rocksdb/c.h"

static int UseFreed(const char* handle, const char* directory) {
  if (strcmp(handle, "options") == 0) {
    rocksdb_options_t* options = rocksdb_options_create();
    rocksdb_options_destroy(options);
    return rocksdb_options_get_create_if_missing(options);
  }
  if (strcmp(handle, "batch") == 0) {
    rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
    rocksdb_writebatch_destroy(batch);
    return rocksdb_writebatch_count(batch);
  }
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_t* db = rocksdb_open(options, directory, &err);
  rocksdb_options_destroy(options);
  if (err != NULL) {
    fprintf(stderr, "%s\n", err);
    return 2;
  }
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, read);
  rocksdb_iter_destroy(it);
  const int is_valid = rocksdb_iter_valid(it);
  rocksdb_readoptions_destroy(read);
  rocksdb_close(db);
  return is_valid;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return UseFreed(argv[1], argv[2]);
}
