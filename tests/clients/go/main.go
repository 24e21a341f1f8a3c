// The module grocksdb over an installed Basalt: opens, writes in two column
// families, iterates, merges with a callback, compacts with direct I/O, and
// counts the keys of a golden database where one is given.
//
//	client DIRECTORY [GOLDEN DEFAULT_COUNT SECOND_COUNT]
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/linxGnu/grocksdb"
)

type join struct{}

func (join) Name() string { return "join" }

func (join) FullMerge(key, existing []byte, operands [][]byte) ([]byte, bool) {
	parts := operands
	if existing != nil {
		parts = append([][]byte{existing}, operands...)
	}
	return bytes.Join(parts, []byte(",")), true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(ok bool, what string) {
	if !ok {
		log.Fatalf("not so: %s", what)
	}
}

func options() *grocksdb.Options {
	options := grocksdb.NewDefaultOptions()
	options.SetCreateIfMissing(true)
	options.SetCreateIfMissingColumnFamilies(true)
	options.SetMergeOperator(join{})
	return options
}

func count(it *grocksdb.Iterator) int {
	defer it.Close()
	n := 0
	for it.SeekToFirst(); it.Valid(); it.Next() {
		n++
	}
	check(it.Err())
	return n
}

func writeAndRead(path string) {
	// By name: the module has no setter for it.
	dbOptions, err := grocksdb.GetOptionsFromString(options(),
		"use_direct_io_for_compaction_reads=true")
	check(err)
	dbOptions.SetUseDirectIOForFlushAndCompaction(true)
	dbOptions.EnableStatistics()
	db, families, err := grocksdb.OpenDbColumnFamilies(dbOptions, path,
		[]string{"default", "other"}, []*grocksdb.Options{options(), options()})
	check(err)
	wo := grocksdb.NewDefaultWriteOptions()
	ro := grocksdb.NewDefaultReadOptions()
	other := families[1]
	for i := 0; i < 1000; i++ {
		check(db.Put(wo, []byte(fmt.Sprintf("key%04d", i)),
			[]byte(fmt.Sprintf("value%d", i))))
		check(db.PutCF(wo, other, []byte(fmt.Sprintf("other%04d", i)), []byte("x")))
	}
	check(db.MergeCF(wo, other, []byte("list"), []byte("a")))
	check(db.MergeCF(wo, other, []byte("list"), []byte("b")))
	check(db.Flush(grocksdb.NewDefaultFlushOptions()))
	check(db.FlushCF(other, grocksdb.NewDefaultFlushOptions()))
	check(db.MergeCF(wo, other, []byte("list"), []byte("c")))
	db.CompactRange(grocksdb.Range{})
	db.CompactRangeCF(other, grocksdb.Range{})
	const opens = "compaction.direct.read.opens COUNT : "
	statistics := dbOptions.GetStatisticsString()
	expect(strings.Contains(statistics, opens) &&
		!strings.Contains(statistics, opens+"0"), "compaction reads directly")
	value, err := db.GetCF(ro, other, []byte("list"))
	check(err)
	expect(string(value.Data()) == "a,b,c", "merged by the callback")
	value.Free()
	value, err = db.Get(ro, []byte("key0500"))
	check(err)
	expect(string(value.Data()) == "value500", "read after compaction")
	value.Free()
	value, err = db.Get(ro, []byte("none"))
	check(err)
	expect(!value.Exists(), "an absent key")
	expect(count(db.NewIterator(ro)) == 1000, "1000 keys")
	expect(count(db.NewIteratorCF(ro, other)) == 1001, "1001 other keys")
	for _, family := range families {
		family.Destroy()
	}
	db.Close()
	_, err = grocksdb.OpenDb(grocksdb.NewDefaultOptions(), path+"/none/none")
	expect(err != nil, "opening what is not there fails")
}

func readGolden(path string, defaultCount, secondCount int) {
	dbOptions := options()
	dbOptions.SetCreateIfMissing(false)
	db, families, err := grocksdb.OpenDbForReadOnlyColumnFamilies(dbOptions, path,
		[]string{"default", "second cf"},
		[]*grocksdb.Options{options(), options()}, false)
	check(err)
	ro := grocksdb.NewDefaultReadOptions()
	expect(count(db.NewIterator(ro)) == defaultCount, "the golden default family")
	expect(count(db.NewIteratorCF(ro, families[1])) == secondCount,
		"the golden second family")
	for _, family := range families {
		family.Destroy()
	}
	db.Close()
}

func main() {
	writeAndRead(os.Args[1])
	if len(os.Args) == 5 {
		defaultCount, err := strconv.Atoi(os.Args[3])
		check(err)
		secondCount, err := strconv.Atoi(os.Args[4])
		check(err)
		readGolden(os.Args[2], defaultCount, secondCount)
	}
	fmt.Println("go: ok")
}
