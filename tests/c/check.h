/* Checks for the plain C program that tests the C interface: each counts, a
   failed one is printed with its place, and the program goes on. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb/c.h"

#ifdef __cplusplus
extern "C" {
#endif

void Count(int ok, const char* file, int line, const char* text);

#define CHECK(condition) Count((condition) != 0, __FILE__, __LINE__, #condition)

/* There must be no error in `err`, which is freed. */
#define CHECK_OK(err) CountOk(&(err), __FILE__, __LINE__)
void CountOk(char** err, const char* file, int line);

/* The error in `err` must hold `part`; it is freed. */
#define CHECK_ERROR(err, part) CountError(&(err), part, __FILE__, __LINE__)
void CountError(char** err, const char* part, const char* file, int line);

/* A value from malloc must be this text; it is freed. */
#define CHECK_VALUE(value, size, wanted) \
  CountValue(value, size, wanted, __FILE__, __LINE__)
void CountValue(char* value, size_t size, const char* wanted, const char* file,
                int line);

/* Whether lent bytes are this text. */
int Same(const char* data, size_t size, const char* wanted);

/* A path below the program's directory; valid until the next call. */
const char* PathOf(const char* name);

/* Default options with create_if_missing. */
rocksdb_options_t* NewOptions(void);

/* Opens PathOf(name), which must work. */
rocksdb_t* OpenNew(const char* name, const rocksdb_options_t* options);

/* Where PathOf() points to, and what is called by each check that fails. */
void SetDirectory(const char* path);
void CallAtFailure(void (*function)(void));

/* All parts, then the figures; 0 if nothing failed. */
void RunParts(void);
int Report(void);

void TestRoundTrips(void);
void TestNullHandles(void);
void TestHandles(void);
void TestInfos(void);
void TestInfoFields(void);
void TestCalls(void);
void TestEffects(void);
void TestFiles(void);
void TestCopies(void);
void TestBackups(void);
void TestTtl(void);
void TestLogs(void);
void TestTraces(void);
void TestEnds(void);
void TestDatabase(void);
void TestReads(void);
void TestFamilies(void);
void TestBatches(void);
void TestIndexedBatches(void);
void TestIterators(void);
void TestCallbacks(void);
void TestListeners(void);
void TestObjects(void);
void TestMaintenance(void);
void TestRemoteCompaction(void);
void TestBadInput(void);
void TestPromises(void);
void TestTransactions(void);
void TestOptimisticTransactions(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
