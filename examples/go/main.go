// Opens a database, writes, and reads what it wrote, in key order.
//
//	example DIRECTORY
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/linxGnu/grocksdb"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("example DIRECTORY")
	}
	options := grocksdb.NewDefaultOptions()
	defer options.Destroy()
	options.SetCreateIfMissing(true)
	db, err := grocksdb.OpenDb(options, os.Args[1])
	check(err)
	defer db.Close()

	write := grocksdb.NewDefaultWriteOptions()
	defer write.Destroy()
	check(db.Put(write, []byte("stone"), []byte("basalt")))
	check(db.Put(write, []byte("sand"), []byte("quartz")))

	read := grocksdb.NewDefaultReadOptions()
	defer read.Destroy()
	it := db.NewIterator(read)
	defer it.Close()
	for it.SeekToFirst(); it.Valid(); it.Next() {
		fmt.Printf("%s = %s\n", it.Key().Data(), it.Value().Data())
	}
	check(it.Err())
}
