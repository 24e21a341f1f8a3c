/* Moves money between two accounts, so that none is lost whoever else is at
   work. Usage: transactions DIRECTORY */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb/c.h"

static void Check(char* err) {
  if (err == NULL) return;
  fprintf(stderr, "%s\n", err);
  exit(1);
}

/* Reads a balance that nobody else may change until the transaction ends. */
static int Balance(rocksdb_transaction_t* txn, const char* account) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_readoptions_t* options = rocksdb_readoptions_create();
  char* text = rocksdb_transaction_get_for_update(
      txn, options, account, strlen(account), &size, 1, &err);
  char digits[16] = "0";
  Check(err);
  if (text != NULL && size < sizeof(digits)) {
    memcpy(digits, text, size);
    digits[size] = '\0';
  }
  rocksdb_free(text);
  rocksdb_readoptions_destroy(options);
  return atoi(digits);
}

static void Set(rocksdb_transaction_t* txn, const char* account, int balance) {
  char* err = NULL;
  char digits[16];
  snprintf(digits, sizeof(digits), "%d", balance);
  rocksdb_transaction_put(txn, account, strlen(account), digits, strlen(digits),
                          &err);
  Check(err);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  char* err = NULL;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_transactiondb_options_t* txn_db_options =
      rocksdb_transactiondb_options_create();
  rocksdb_transactiondb_t* db =
      rocksdb_transactiondb_open(options, txn_db_options, argv[1], &err);
  Check(err);
  rocksdb_writeoptions_t* write_options = rocksdb_writeoptions_create();
  rocksdb_transactiondb_put(db, write_options, "checking", 8, "100", 3, &err);
  Check(err);
  rocksdb_transaction_options_t* txn_options =
      rocksdb_transaction_options_create();
  rocksdb_transaction_t* txn =
      rocksdb_transaction_begin(db, write_options, txn_options, NULL);
  const int checking = Balance(txn, "checking");
  const int savings = Balance(txn, "savings");
  Set(txn, "checking", checking - 30);
  Set(txn, "savings", savings + 30);
  rocksdb_transaction_commit(txn, &err);
  Check(err);
  printf("checking = %d\nsavings = %d\n", checking - 30, savings + 30);
  rocksdb_transaction_destroy(txn);
  rocksdb_transactiondb_close(db);
  rocksdb_transaction_options_destroy(txn_options);
  rocksdb_writeoptions_destroy(write_options);
  rocksdb_transactiondb_options_destroy(txn_db_options);
  rocksdb_options_destroy(options);
  return 0;
}
