module example

go 1.19

require github.com/linxGnu/grocksdb v1.11.1
