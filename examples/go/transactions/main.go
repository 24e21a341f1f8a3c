// Moves money between two accounts, so that none is lost whoever else is at
// work.
//
//	transactions DIRECTORY
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/linxGnu/grocksdb"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func number(value *grocksdb.Slice) int {
	defer value.Free()
	n, err := strconv.Atoi(string(value.Data()))
	check(err)
	return n
}

// One attempt; an error: somebody else was faster, or something is wrong.
// Destroying the transaction rolls it back.
func transfer(db *grocksdb.TransactionDB, amount int) error {
	write := grocksdb.NewDefaultWriteOptions()
	defer write.Destroy()
	options := grocksdb.NewDefaultTransactionOptions()
	defer options.Destroy()
	read := grocksdb.NewDefaultReadOptions()
	defer read.Destroy()
	txn := db.TransactionBegin(write, options, nil)
	defer txn.Destroy()
	// From here on the accounts are nobody else's to change.
	from, err := txn.GetForUpdate(read, []byte("checking"))
	if err != nil {
		return err
	}
	to, err := txn.GetForUpdate(read, []byte("savings"))
	if err != nil {
		return err
	}
	left := strconv.Itoa(number(from) - amount)
	if err := txn.Put([]byte("checking"), []byte(left)); err != nil {
		return err
	}
	more := strconv.Itoa(number(to) + amount)
	if err := txn.Put([]byte("savings"), []byte(more)); err != nil {
		return err
	}
	return txn.Commit()
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("transactions DIRECTORY")
	}
	options := grocksdb.NewDefaultOptions()
	defer options.Destroy()
	options.SetCreateIfMissing(true)
	txnOptions := grocksdb.NewDefaultTransactionDBOptions()
	defer txnOptions.Destroy()
	db, err := grocksdb.OpenTransactionDb(options, txnOptions, os.Args[1])
	check(err)
	defer db.Close()

	write := grocksdb.NewDefaultWriteOptions()
	defer write.Destroy()
	check(db.Put(write, []byte("checking"), []byte("100")))
	check(db.Put(write, []byte("savings"), []byte("0")))
	check(transfer(db, 30))
	read := grocksdb.NewDefaultReadOptions()
	defer read.Destroy()
	for _, account := range []string{"checking", "savings"} {
		value, err := db.Get(read, []byte(account))
		check(err)
		fmt.Printf("%s = %d\n", account, number(value))
	}
}
