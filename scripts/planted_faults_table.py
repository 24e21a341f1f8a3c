"""The tables of scripts/planted_faults.py: faults, and the tests that see them.

Each plant makes the engine commit the mistake of one class of
docs/reliability.md, in a line or two; the class is given by its number there.
"""

import collections

# `seconds` is how long the tests may take: less where the fault is that they
# would wait for ever.
Plant = collections.namedtuple(
    "Plant", "number name source old new program tests seconds",
    defaults=(300,))

# Classes without a plant, and why.
NOT_PLANTED = {}

DB = "basalt_db_test"
ENV = "basalt_env_test"
FILE = "basalt_file_test"
OPTIONS = "basalt_options_test"
TABLE = "basalt_table_test"
UTIL = "basalt_util_test"
UTILITIES = "basalt_utilities_test"

PLANTS = [
    # ---- 1: an error of one child of an iterator is taken for its end
    Plant(1, "a merge goes on without a child that failed",
          "util/key/merging_iterator.cc",
          "status_ = child.iter.status();",
          "status_ = Status::OK();",
          UTIL, "*MergingIteratorTest.FailsWithAnyChild*"),
    Plant(1, "a level goes on behind a file that failed",
          "db/tables/level_iterator.cc",
          "!file_->Valid() && file_->status().ok();",
          "!file_->Valid();",
          DB, "LevelIteratorScriptTest.EveryCaseOfTheScript:"
              "*LevelIteratorTest.AFailureAtAnyCallIsSeen*"),
    Plant(1, "a compaction ends where its input failed",
          "db/semantics/compaction_input.cc",
          "  Status s = context_.stream->status();\n"
          "  if (!s.ok()) Fail(std::move(s));\n",
          "",
          DB, "CompactionIteratorTest.EveryCaseOfTheScripts"),

    Plant(1, "a scan ends where its source failed",
          "db/read/forward_walk.cc",
          "      if (Take(entry)) return;\n"
          "    }\n"
          "    s_.FailsWithStream();\n",
          "      if (Take(entry)) return;\n"
          "    }\n",
          DB, "ScanTest.AReseekPastATombstoneKeepsTheError"),
    Plant(1, "operands are merged without older ones that cannot be read",
          "db/read/forward_walk.cc",
          "  versions.Reverse();\n"
          "  return !scan->FailsWithStream();\n",
          "  versions.Reverse();\n"
          "  return true;\n",
          DB, "ScanTest.OperandsThatCannotBeReadFailTheMerge"),
    Plant(1, "backward, newer operands that cannot be read are left out",
          "db/read/backward_walk.cc",
          "      if (!AddNewer(entry)) return false;\n"
          "    }\n"
          "    return !s_.FailsWithStream();\n",
          "      if (!AddNewer(entry)) return false;\n"
          "    }\n"
          "    return true;\n",
          DB, "ScanTest.OperandsThatCannotBeReadFailTheMerge"),

    # ---- 2: a reseek past a range tombstone forgets an error
    Plant(2, "a seek behind a tombstone that fails leads to the end",
          "db/read/scan_source.cc",
          "    run_->Seek(target_);\n"
          "    return true;\n",
          "    run_->Seek(target_);\n"
          "    if (!run_->status().ok()) run_->Seek(std::string(64, '\\xff'));\n"
          "    return true;\n",
          DB, "ScanTest.AReseekPastATombstoneKeepsTheError"),

    Plant(2, "a seek before a tombstone that fails leads to the end",
          "db/read/scan_source.cc",
          "    run_->SeekForPrev(target_);\n"
          "    return true;\n",
          "    run_->SeekForPrev(target_);\n"
          "    if (!run_->status().ok()) run_->Seek(std::string(64, '\\xff'));\n"
          "    return true;\n",
          DB, "ScanTest.AReseekPastATombstoneKeepsTheError"),

    # ---- 3: outputs of a pending flush deleted when another one fails
    Plant(3, "a family that went takes the outputs of the others along",
          "db/flush/flush_job.cc",
          "s.ok() && is_gone[i] ?",
          "s.ok() && is_gone.back() ?",
          DB, "AtomicFlushTest.AFamilyIsDroppedMeanwhile"),
    Plant(3, "outputs go though the manifest may hold them",
          "db/flush/flush_job.cc",
          "  if (s.IsColumnFamilyDropped()) Abandon();\n",
          "  Abandon();\n",
          DB, "AtomicFlushTest.WhatAFailedManifestMayNameStays"),

    Plant(3, "outputs of a compaction go though the manifest may hold them",
          "db/compaction/compaction_job.cc",
          "    if (s.IsColumnFamilyDropped()) Discard();\n",
          "    if (!s.ok()) Discard();\n",
          DB, "AtomicFlushTest.WhatAFailedManifestMayNameStays"),

    # ---- 4: atomic flush stuck after a failure, or without a log behind
    Plant(4, "families are flushed one by one",
          "db/jobs/flush_desk.cc",
          "if (context_.db->atomic_flush || joint_seals_ > 0 ||",
          "if (joint_seals_ > 0 ||",
          DB, "AtomicFlushTest.WithoutALogAllFamiliesHoldTheSamePrefix"),
    Plant(4, "memtables of a flush that failed stay taken",
          "db/flush/flush_job.cc",
          "  Abandon();\n"
          "  context_.cfd->imm()->RollbackFlush();\n"
          "  return s;\n",
          "  Abandon();\n"
          "  return s;\n",
          DB, "AtomicFlushTest.AFailedFlushLeavesNothingAndIsRepeated",
          seconds=30),

    # ---- 5: a log of a checkpoint that is not synced
    Plant(5, "the copy of a log is not synced",
          "utilities/checkpoint/new_directory.cc",
          "  copy.size_bytes = size_bytes;\n",
          "  copy.size_bytes = size_bytes;\n"
          "  if (name.ends_with(\".log\")) {\n"
          "    copy.durability = FileDurability::kBuffered;\n"
          "  }\n",
          UTILITIES, "CheckpointFaults.EveryCallFailsOnce"),

    Plant(5, "a log that was let go is tracked by a late sync",
          "db/manifest/manifest_log.cc",
          "    logs_.LeaveOutUnneeded(change.edit);\n",
          "",
          DB, "VersionSetScriptTest.EveryCaseOfTheScript"),

    # ---- 6: a table ahead of its logs
    Plant(6, "a table is installed before older logs are synced",
          "db/jobs/flush_runner.cc",
          "  const bool syncs_logs = SyncsLogs();\n",
          "  const bool syncs_logs = false;\n",
          DB, "*CrashClone.WhatIsThereIsAPrefix/0:"
              "*WriteModeCrash.AtEveryCall/Plain"),
    Plant(6, "the name of the first log is not durable",
          "db/recovery/log_recovery.cc",
          "      context_.wal_dir != context_.db_name) {\n",
          "      context_.wal_dir.empty()) {\n",
          DB, "*CrashClone.WhatIsThereIsAPrefix/0:WalDirectoryTest.*"),
    Plant(6, "nobody looks whether tables go beyond a damaged log",
          "db/recovery/log_recovery.cc",
          "  if (s.ok()) s = CheckEnd(outcome);\n",
          "",
          DB, "RecoveryModesScript.EveryCase"),
    Plant(6, "a log that recovery keeps is not synced",
          "db/recovery/log_recovery.cc",
          "  Status s = SyncLeftFile(context_.db->fs, path);\n",
          "  Status s;\n"
          "  if (number == 0) s = SyncLeftFile(context_.db->fs, path);\n",
          DB, "RecoveredLogs.*"),
    Plant(6, "the name of a synced log is not durable",
          "db/wal/wal_manager.cc",
          "  Status s = SyncLogs(Current::kWhole);\n"
          "  if (s.ok()) s = SyncDirectoryOnce();\n",
          "  Status s = SyncLogs(Current::kWhole);\n",
          DB, "*CrashClone.WhatIsThereIsAPrefix/0:"
              "*WriteModeCrash.AtEveryCall/Plain"),
    Plant(6, "the name of a log that is synced beside writers is not durable",
          "db/wal/wal_manager.cc",
          "  Status s = SyncLogs(Current::kFlushed);\n"
          "  if (s.ok()) s = SyncDirectoryOnce();\n",
          "  Status s = SyncLogs(Current::kFlushed);\n",
          DB, "LogRequestsTest.WhatIsSyncedIsOnTheDevice"),
    Plant(6, "the name of a log behind a table is not durable",
          "db/wal/wal_manager.cc",
          "  if (s.ok() && has_closed) s = SyncDirectoryOnce();\n",
          "  if (s.ok() && !has_closed) s = SyncDirectoryOnce();\n",
          DB, "*CrashClone.WhatIsThereIsAPrefix/*:"
              "*WriteModeCrash.AtEveryCall/Plain"),

    # ---- 7: a failed manifest write takes the last good one
    Plant(7, "a manifest that CURRENT may name is removed",
          "db/manifest/manifest_writer.cc",
          "                     context_.directory);\n"
          "  if (!s.ok()) return s;\n",
          "                     context_.directory);\n"
          "  if (!s.ok()) {\n"
          "    writer.reset();\n"
          "    DropUnused(manifest.number);\n"
          "    return s;\n"
          "  }\n",
          DB, "ManifestWriter.NoFailureLosesTheLastGoodState"),
    Plant(7, "a manifest whose write failed is written on",
          "db/manifest/manifest_writer.cc",
          "  has_failed_ = !s.ok();\n",
          "  has_failed_ = false;\n",
          DB, "FullDiskTest.Manifest:ManifestWriter."
              "AfterAFailedAppendANewOneIsDue"),

    # ---- 8: families differ, or records are there twice, after a failed log
    Plant(8, "after a failed log families are flushed one by one",
          "db/intake/resumption.cc",
          "  if (wal->AbandonFailed()) context_.flushes->NoteAbandoned(*number);\n",
          "  (void)wal->AbandonFailed();\n",
          DB, "AtomicFlushTest.ACrashInTheMiddleOfResume"),
    Plant(8, "the manifest is not told that a failed log does not count",
          "db/intake/resumption.cc",
          "    changes.push_back({family->cfd.get(), &edits[id]});\n"
          "  }\n"
          "  if (is_forced",
          "  }\n"
          "  if (is_forced",
          DB, "FaultClassesTest.ALogThatFailedBesideNoDataDoesNotCount"),
    Plant(8, "records are replayed that are in tables",
          "db/wal/memtable_inserter.cc",
          "        options_.replayed_log_number < target_.log_number) {\n",
          "        options_.replayed_log_number < target_.log_number &&\n"
          "        target_.memtable == nullptr) {\n",
          DB, "MemTableInserterScriptTest.EveryCaseOfTheScript"),

    # ---- 9: old records behind the end of a recycled log
    Plant(9, "records of an older log count",
          "db/wal/log_reader.cc",
          "  return number != static_cast<uint32_t>(options_.log_number);\n",
          "  return number > static_cast<uint32_t>(options_.log_number);\n",
          DB, "*LogFormsTest.StaleTailsAreNeverRead*"),
    Plant(9, "a log is closed with what an older one left behind its end",
          "db/wal/wal_manager.cc",
          "    Status s = log.writer->CutTail();\n",
          "    Status s;\n",
          DB, "*WalRecyclingTest.ACleanCloseCutsTheLog*"),

    Plant(9, "logs of an earlier session are written over",
          "db/wal/wal_manager.cc",
          "    bool is_whole = log.is_ours && !log.is_abandoned;\n",
          "    bool is_whole = !log.is_abandoned;\n",
          DB, "*WalRecyclingTest.LogsOfAnEarlierSessionAreNotUsedAgain*"),

    # ---- 10: sequences go back after a recovery with two queues
    Plant(10, "a recovery counts from the log alone",
          "db/recovery/log_recovery.cc",
          "        std::max(versions.LastSequence(),"
          " outcome.next_sequence - 1));\n",
          "        outcome.next_sequence - 1);\n",
          DB, "FaultClassesTest.Sequences*:*WriteModesTest.ErrorsInTheMiddle*:"
              "TwoQueuesTest.AReplay*"),
    Plant(10, "a record without updates has a sequence that is taken",
          "db/intake/group_log.cc",
          "    WriteBatchInternal::SetSequence(record, NextSequence());\n",
          "    WriteBatchInternal::SetSequence(\n"
          "        record, context_.versions->LastSequence() + 1);\n",
          DB, "TwoQueuesTest.NotesBehindWhatIsNotVisibleYet"),

    # ---- 11: compaction drops what a snapshot of sequence 0 sees
    Plant(11, "a snapshot of sequence 0 is none",
          "db/semantics/snapshot_stripes.h",
          "    assert(std::is_sorted(snapshots_.begin(), snapshots_.end()));\n",
          "    std::erase(snapshots_, SequenceNumber{0});\n",
          DB, "FaultClassesTest.ASnapshotOfSequence0"),
    Plant(11, "what is newer than a snapshot gets sequence 0",
          "db/semantics/survival_rules.h",
          "            type == kTypeBlobIndex) &&\n"
          "           SnapshotStripes::IsSeenByAll(StripeOf(sequence));\n",
          "            type == kTypeBlobIndex);\n",
          DB, "FaultClassesTest.ASnapshotOfSequence0"),
    Plant(11, "a batch that is a memtable has a sequence that was seen",
          "db/intake/batch_ingest.cc",
          "  const SequenceNumber first = context_.log->NextSequence();\n",
          "  const SequenceNumber first = context_.log->NextSequence() - 1;\n",
          UTILITIES, "IngestBatchTest.*"),

    # ---- 12: overlapping or missing inputs are picked
    Plant(12, "files that are being compacted are picked",
          "db/styles/leveled/leveled_picker.cc",
          "  draft.AddLowerLevels();\n"
          "  if (draft.IsBusy()) return nullptr;\n"
          "  draft.GrowStartLevel();\n"
          "  auto c = draft.Finish(reason);\n"
          "  return Conflicts(*c) ? nullptr : std::move(c);\n",
          "  draft.AddLowerLevels();\n"
          "  draft.GrowStartLevel();\n"
          "  return draft.Finish(reason);\n",
          DB, "PickerModelTest.*:CompactionPickerTest.*"),
    Plant(12, "a file that begins at the end of a range is left out",
          "db/compaction/compaction_draft.cc",
          "          return order.CompareUserKeys(end,"
          " file->smallest.user_key()) < 0;\n",
          "          return order.CompareUserKeys(end,"
          " file->smallest.user_key()) <= 0;\n",
          DB, "PickerModelTest.*:CompactionPickerTest.*"),
    Plant(12, "files of level 0 go down without older ones that overlap them",
          "db/version/version_storage.cc",
          "  if (level == 0 && growth == Level0Growth::kTransitive) {\n",
          "  if (level == 1 && growth == Level0Growth::kTransitive) {\n",
          DB, "PickerModelTest.*:CompactionPickerTest.*"),

    Plant(12, "the newest files go instead of the oldest",
          "db/styles/fifo/fifo_picker.cc",
          "  for (auto file = level0.rbegin(); file != level0.rend(); ++file) {\n"
          "    placed.push_back({0, *file});\n",
          "  for (auto file = level0.begin(); file != level0.end(); ++file) {\n"
          "    placed.push_back({0, *file});\n",
          DB, "DbFifoTest.*"),
    Plant(12, "a file is taken out of a level twice",
          "db/version/version_builder.cc",
          "  if (file == nullptr || file->level != level ||\n"
          "      !removed_.insert(number).second) {\n",
          "  removed_.insert(number);\n"
          "  if (file == nullptr || file->level != level) {\n",
          DB, "VersionBuilder.*"),

    # ---- 13: compactions that never go on
    Plant(13, "a level that could not be changed stays closed",
          "db/jobs/manual_compactions.cc",
          "  --family->level_changes;\n",
          "  if (s.ok()) --family->level_changes;\n",
          DB, "FaultClassesTest.CompactionsGoOn*", seconds=60),
    Plant(13, "after a pause nothing is scheduled",
          "db/jobs/background_control.cc",
          "Background work already unpaused\");\n"
          "  }\n"
          "  RetryDelayed();\n",
          "Background work already unpaused\");\n"
          "  }\n",
          DB, "PauseTest.NothingIsFlushedUntilItIsContinuedAsOftenAsPaused",
          seconds=30),

    Plant(13, "what failed is not tried again",
          "db/jobs/compaction_queue.cc",
          "    family->retry_at.reset();\n"
          "    Add(family->cfd.get());\n",
          "    family->retry_at.reset();\n",
          DB, "RemoteCompactionTest.WhatFailedIsTriedAgain", seconds=30),

    Plant(13, "what a resume ended is waited for",
          "db/jobs/compaction_desk.cc",
          "  context_.queue->RetryLater(family);\n"
          "  context_.errors->OnBackgroundError("
          "s, BackgroundErrorReason::kCompaction);\n",
          "  context_.errors->OnBackgroundError("
          "s, BackgroundErrorReason::kCompaction);\n"
          "  context_.queue->RetryLater(family);\n",
          DB, "FailedCompactionTest.IsMadeAfterAResumeInItsMiddle",
          seconds=30),
    Plant(13, "what a failed compaction left is forgotten",
          "db/intake/resumption.cc",
          "  context_.error->Clear();\n"
          "  context_.compactions->AddAll();\n"
          "  context_.scheduler->MaybeSchedule();\n"
          "  return true;\n",
          "  context_.error->Clear();\n"
          "  return true;\n",
          DB, "FailedCompactionTest.IsMadeAfterResume",
          seconds=30),

    # ---- 14: tombstones in the wrong level, or cut into bounds that cannot be
    Plant(14, "a tombstone goes though older data are below",
          "db/semantics/tombstone_survivors.cc",
          "                           SnapshotStripes::IsSeenByAll(stripe) &&\n"
          "                           !older->MayHoldRange(fragment.begin,"
          " fragment.end);\n",
          "                           SnapshotStripes::IsSeenByAll(stripe);\n",
          DB, "TombstoneSurvivorsTest.*:"
              "ScanTest.ATombstoneStaysWhileOlderDataAreBelow"),
    Plant(14, "a tombstone reaches beyond the end of its file",
          "db/semantics/tombstone_survivors.cc",
          "    fragment->end = *range.upper;\n",
          "    assert(all.CompareKeys(fragment->begin, fragment->end) < 0);\n",
          DB, "TombstoneSurvivorsTest.*:"
              "ScanTest.ATombstoneThatIsCutCoversTheKeyAtTheCut"),
    Plant(14, "young tombstones go to the last level",
          "db/compaction/sub_compaction.cc",
          "    young.first_tombstone = c.young.after + 1;\n"
          "    young.partitioner = NewPartitioner(job.cfd->ioptions(), c);\n"
          "    young_ = std::make_unique<CompactionOutputs>(std::move(young));\n"
          "    writes.last_tombstone = c.young.after;\n",
          "    young.first_tombstone = kMaxSequenceNumber;\n"
          "    young.partitioner = NewPartitioner(job.cfd->ioptions(), c);\n"
          "    young_ = std::make_unique<CompactionOutputs>(std::move(young));"
          "\n",
          DB, "*DataAgeModelTest.*"),
    Plant(14, "the tombstones of the file beside are not asked for",
          "db/read/tombstone_view.cc",
          "    if (level->cursor != nullptr) ask(level->cursor.get());\n",
          "    if (level->cursor != nullptr) ask(level->cursor.get());\n"
          "    break;\n",
          DB, "ScanTest.ATombstoneThatIsCutCoversTheKeyAtTheCut"),
    Plant(14, "a scan's tombstone covers what is newer than its view",
          "db/read/forward_walk.cc",
          "        if (s_.run.is_on()) PassNewer(entry.user_key);\n",
          "",
          DB, "RangeConversionTest.AFileThatIsNewerThanTheView"),
    Plant(14, "a scan's tombstone comes to a state that it has not read",
          "db/intake/write_pipeline.cc",
          "    return state.number == cfd->super_version_number();\n",
          "    return state.number > 0 && cfd != nullptr;\n",
          DB, "RangeConversionTest.AFileThatIsNewerThanTheIterator"),

    # ---- 15: prefix filters miss data
    Plant(15, "filters of another extractor are asked",
          "table/table_filter.cc",
          "  return facts.opened_with.get() == prefix_extractor ||\n"
          "         facts.prefix_extractor == prefix_extractor->AsString();\n",
          "  return facts.kind != FilterFacts::Kind::kNone;\n",
          DB, "PrefixScanTest.*"),
    Plant(15, "the bound's prefix is asked for instead of the key's",
          "db/read/user_iterator.cc",
          "      // for a smaller key.\n"
          "      source().SeekToVisible(",
          "      // for a smaller key.\n"
          "      source().SeekToVisibleInPrefix(",
          DB, "PrefixScanTest.*"),

    # ---- 16: MultiGet: duplicates, errors of others
    Plant(16, "a key that was asked for before gets no answer",
          "db/read/multi_get.cc",
          "      open_.push_back(&all_.back());\n",
          "      if (i == 0 || keys[i].user_key != keys[i - 1].user_key) {\n"
          "        open_.push_back(&all_.back());\n"
          "      }\n",
          DB, "*MultiGetTest.DuplicatesAllGetTheAnswer*"),
    Plant(16, "a damaged block spoils those behind it",
          "table/block_batch.cc",
          "    wanted.status = TakeBlock(&wanted);\n",
          "    wanted.status = io_status_ = TakeBlock(&wanted);\n",
          DB, "*MultiGetTest.ADamagedBlockSpoilsItsKeysAlone*"),
    Plant(16, "an older level answers before a newer one",
          "db/read/multi_get.cc",
          "    for (size_t i = 0; i < level0_steps; ++i) {\n",
          "    for (size_t i = level0_steps; i-- > 0;) {\n",
          DB, "MultiGetLevelsTest.*"),

    Plant(16, "keys of a file that cannot be opened are not there",
          "db/read/multi_get.cc",
          "      for (size_t i = 0; i < group.count && !s.ok(); ++i) {\n"
          "        request.lookups[i].status = s;\n"
          "      }\n",
          "",
          DB, "*MultiGetTest.AFileThatCannotBeOpenedSpoilsItsKeysAlone*"),

    # ---- 17: read-only and secondary instances read otherwise
    Plant(17, "a secondary instance does not see what is in logs",
          "db/recovery/catch_up.cc",
          "std::max(found->last_sequence, replay.outcome().next_sequence - 1);",
          "std::max(found->last_sequence, found->manifest.last_sequence());",
          DB, "SecondaryScript.EveryCase"),
    Plant(17, "what may not be read is not there",
          "table/block_batch.cc",
          "? Status::Incomplete(",
          "? Status::NotFound(",
          DB, "*MultiGetTest.WithoutIoTheKeysInMemoryAreAnswered*"),

    Plant(17, "files that the primary removes meanwhile are not noticed",
          "db/recovery/catch_up.cc",
          "  if (s.ok()) s = found->mark.CheckUnchanged(context_.db->fs,"
          " context_.source);\n"
          "  if (s.ok() && found->found_logs",
          "  if (s.ok() && found->found_logs",
          DB, "SecondaryTest.*:BusyWriterTest.*"),

    # ---- 18: closing a read-only instance deletes files of the writer
    Plant(18, "a read-only instance deletes what it lets go of",
          "db/impl/db_close.cc",
          "  default_handle_.reset();\n"
          "}\n",
          "  if (IsReadOnly()) files_->obsolete()->Arm();\n"
          "  default_handle_.reset();\n"
          "  files_->obsolete()->Purge();\n"
          "}\n",
          DB, "DbAdminTest.AReadOnlyOpenLeavesAWritersFilesAlone:"
              "SecondaryScript.EveryCase"),

    # ---- 19: options that are lost or reverted
    Plant(19, "the OPTIONS file has not what was set of a family's options",
          "db/files/options_files.cc",
          "BuildColumnFamilyOptions(cfd->ioptions(), *cfd->options())",
          "BuildColumnFamilyOptions(cfd->ioptions(), MutableCFOptions())",
          DB, "DynamicOptionsTest."
              "ChangesOfFamiliesAndOptionsDoNotLoseEachOther"),
    Plant(19, "a change of options takes back the one before",
          "db/intake/family_changes.cc",
          "        BuildColumnFamilyOptions(cfd->ioptions(), *cfd->options()),\n",
          "        BuildColumnFamilyOptions(cfd->ioptions(), MutableCFOptions()),"
          "\n",
          DB, "DynamicOptionsTest.AChangeLeavesTheOnesBeforeItInForce"),
    Plant(19, "a value ends at the first brace that closes",
          "options/text.cc",
          "    if (text[i] == '}' && --depth == 0) return i + 1;\n",
          "    if (text[i] == '}' && --depth >= 0) return i + 1;\n",
          OPTIONS, "RowsTest.RandomValuesSurviveText"),
    Plant(19, "a value that has separators is not enclosed",
          "options/print.cc",
          "    if (!enclosed && value.find(';') != std::string::npos) {\n",
          "    if (enclosed && value.find(';') != std::string::npos) {\n",
          OPTIONS, "ConvenienceTest.WhatIsDerivedFromThem:ConvenienceTest.OptionsFromText"),

    Plant(19, "changes of the database's options are not written down",
          "db/intake/option_changes.cc",
          "  PutInForce(*next);\n"
          "  return names.empty() ? s :"
          " context_.families->WriteOptionsFile();\n",
          "  PutInForce(*next);\n"
          "  return s;\n",
          DB, "DynamicOptionsTest.EveryDynamicRowOfTheDatabase*"),

    # ---- 20: ingestion and import: old values come back
    Plant(20, "a file that lies above others gets no sequence",
          "db/ingest/placement.cc",
          "    *needs_number = *needs_number || has_overlap ||"
          " hides_from_snapshots;\n",
          "    *needs_number = *needs_number || hides_from_snapshots;\n",
          DB, "IngestTest.NewDataHideOldOnes"),
    Plant(20, "a snapshot that comes late sees the file",
          "db/intake/ingestion_install.cc",
          "  if (s.ok()) s = HideFromSnapshots(jobs);\n",
          "",
          DB, "IngestTest.ASnapshotTakenWhileTheLogIsSynced*"),
    Plant(20, "a memtable that overlaps is not flushed",
          "db/intake/ingestion.cc",
          "    if (!job->NeedsFlush(*cfd->mem(),"
          " *cfd->imm()->current())) continue;\n",
          "    if (cfd->imm()->empty() ||\n"
          "        !job->NeedsFlush(*cfd->mem(), *cfd->imm()->current())) {\n"
          "      continue;\n"
          "    }\n",
          DB, "IngestTest.AMemtableThatOverlapsIsFlushed"),
    Plant(20, "what is imported is newer than the writes to come",
          "db/intake/family_import.cc",
          "    context_.versions->SetLastSequence(largest);\n",
          "    context_.versions->SetLastSequence(\n"
          "        std::min(largest, context_.versions->LastSequence()));\n",
          UTILITIES, "CheckpointTest.SequencesGoOnFromTheImported"),

    Plant(20, "what is flushed after an import is older than it",
          "db/ingest/import_job.cc",
          "    cfd_->set_next_epoch(next);\n",
          "",
          UTILITIES, "CheckpointTest.WhatIsFlushedAfterAnImportIsNewer"),
    Plant(20, "writes before an ingestion are not durable with it",
          "db/intake/ingestion_install.cc",
          "  const Status synced = context_.logs->FlushOrSync({.sync = true});\n",
          "  const Status synced = context_.logs->FlushOrSync({.sync = false});\n",
          DB, "IngestCrash.EarlierWritesAreDurableWithTheFiles"),
    Plant(20, "a file is placed where a compaction writes",
          "db/ingest/placement.cc",
          "IsInUse(level) && !request_.is_busy(level, file))) {\n",
          "IsInUse(level) && !request_.is_busy(0, file))) {\n",
          DB, "PlacementTest.EveryCaseOfTheScript"),

    # ---- 21: backups: damage that is passed over, files that are gone
    Plant(21, "a copy is not held against the MANIFEST",
          "utilities/backup/backup_creation.cc",
          "      generator->GetChecksum() != live.file_checksum) {\n",
          "      generator->GetChecksum().empty()) {\n",
          UTILITIES, "BackupEngineTest.CopiesAreComparedWithTheManifest"),
    Plant(21, "what is restored is not compared",
          "utilities/backup/backup_restore.cc",
          "if (!file.has_crc32c || crc32c == file.crc32c)",
          "if (!file.has_crc32c || crc32c != 0)",
          UTILITIES, "BackupEngineTest.AFlippedByteIn*"),
    Plant(21, "a backup is there before the names of its files",
          "utilities/backup/backup_creation.cc",
          "  if (s = SyncDirectories(); s.ok()) s = WriteMeta(description);\n",
          "  if (s = WriteMeta(description); s.ok()) s = SyncDirectories();\n",
          UTILITIES, "Steps/BackupFaultsTest.ThePowerGoesAtEveryCall/create"),
    Plant(21, "files go before the description that names them",
          "utilities/backup/backup_garbage.cc",
          "  s = SyncMeta();\n  if (s.ok()) s = DeleteFiles(backup);\n",
          "  s = DeleteFiles(backup);\n",
          UTILITIES, "Steps/BackupFaultsTest.ThePowerGoesAtEveryCall/delete"),
    Plant(21, "what only a damaged backup names is garbage",
          "utilities/backup/backup_garbage.cc",
          "if (catalog_.IsNeeded(path) || spared.count(path) > 0) continue;",
          "if (catalog_.FindShared(path) != nullptr ||"
          " spared.count(path) > 0) continue;",
          UTILITIES, "BackupEngineTest.AMissingFileAndItsReturn"),
    Plant(21, "a file that is gone counts as stored",
          "utilities/backup/backup_creation.cc",
          "  if (s.IsNotFound() || s.IsPathNotFound()) return IOStatus::OK();\n"
          "  if (!s.ok()) return s;\n"
          "  if (size != file.size_bytes",
          "  if (s.IsNotFound() || s.IsPathNotFound()) size = file.size_bytes;\n"
          "  else if (!s.ok()) return s;\n"
          "  if (size != file.size_bytes",
          UTILITIES, "BackupEngineTest.AMissingFileIsCopiedAnew"),
    Plant(21, "a restore that is cut off leaves a database",
          "utilities/backup/backup_restore.cc",
          '            (is_current ? kCurrentDraftName : item.db_name);\n',
          "            item.db_name;\n  (void)is_current;\n",
          UTILITIES, "BackupEngineTest.AFlippedByteInATable:"
                     "BackupResumeTest.RestoreIsAllOrNothing"),
    Plant(21, "a record of copies is believed whatever it says",
          "utilities/backup/copied_files.cc",
          "      sum != crc32c::Value(line.data(), end)) {\n",
          "      sum == crc32c::Value(line.data(), end)) {\n",
          UTILITIES, "CopiedFilesTest.OnlyWholeLines:BackupResumeTest.*"),
    Plant(21, "a shorter log takes the place of the longer one",
          "utilities/backup/backup_restore.cc",
          "  item->is_kept = size >= item->from.file.size_bytes;\n",
          "",
          UTILITIES, "BackupRestoreTest.TheLongerOfTwoLogsIsKept"),
    Plant(21, "the newest backup is wanted, damaged or not",
          "utilities/backup/backup_catalog.cc",
          "    if (it->second.status.ok()) return &it->second;\n",
          "    return &it->second;\n",
          UTILITIES, "BackupEngineTest.AMissingFileAndItsReturn"),

    # ---- 22: files and descriptors that stay until the database is closed
    Plant(22, "the output of a flush that failed stays",
          "db/flush/flush_job.cc",
          "  Abandon();\n"
          "  context_.cfd->imm()->RollbackFlush();\n"
          "  return s;\n",
          "  context_.cfd->imm()->RollbackFlush();\n"
          "  return s;\n",
          DB, "AtomicFlushTest.AFailedFlushLeavesNothingAndIsRepeated"),
    Plant(22, "blob files without references stay",
          "db/files/obsolete_files.cc",
          "  waiting_.push_back({path, kBlobFile, number, size_bytes});\n",
          "  if (number == 0) waiting_.push_back({path, kBlobFile, 0, size_bytes});"
          "\n",
          DB, "BlobTest.AFileGoesWithItsLastReference"),
    Plant(22, "tables without references stay",
          "db/files/obsolete_files.cc",
          "    waiting_.push_back(\n"
          "        {table.path, kTableFile, table.number, "
          "table.size_bytes});\n",
          "    if (table.number == 0) waiting_.push_back({table.path, kTableFile})"
          ";\n",
          DB, "ObsoleteFilesTest.*"),
    Plant(22, "what a read was the last to need stays",
          "db/files/obsolete_files.cc",
          "    callbacks_.on_unattended();\n",
          "    callbacks_.on_deleted(\"\", kTempFile, 0, Status::OK());\n",
          DB, "LastReferenceTest.OfARead"),
    Plant(22, "the files of a level that was read stay open",
          "db/tables/level_iterator.cc",
          "    file_.reset();\n"
          "  }\n"
          "  void Leave() {\n",
          "    (void)file_.release();\n"
          "  }\n"
          "  void Leave() {\n",
          DB, "*FaultLoop.EveryCallFailsOnce/AnyIOErrorDirect"),

    Plant(22, "logs that are not needed stay",
          "db/files/file_room.cc",
          "    context_.obsolete->Add(LogFileName(context_.wal_dir, number),"
          " kWalFile,\n"
          "                           number);\n",
          "",
          DB, "AtomicFlushTest.*:FullDiskTest.*"),
    Plant(22, "manifests that are out of force stay",
          "db/files/file_room.cc",
          "    context_.obsolete->Add("
          "DescriptorFileName(context_.db_name, last_manifest_),\n"
          "                           kDescriptorFile, last_manifest_);\n",
          "",
          DB, "ObsoleteFilesTest.AManifestGoesWhenAnotherIsInForce"),

    # ---- 23: transactions
    Plant(23, "the log of what is prepared goes",
          "db/recovery/log_recovery.cc",
          "  context_.versions->logs()->Hold(min_log);\n",
          "",
          DB, "PreparedTransactionsTest.*"),
    Plant(23, "locks are given back before the commit",
          "utilities/transactions/pessimistic_transaction.cc",
          "  if (s.ok() && !HasNothingToWrite()) {\n"
          "    s = port_->WriteIf(",
          "  UnlockAll();\n"
          "  if (s.ok() && !HasNothingToWrite()) {\n"
          "    s = port_->WriteIf(",
          UTILITIES, "Kinds/HistoriesTest.AreSerialisable/Locking"),
    Plant(23, "a commit is visible before its batch is there",
          "db/intake/write_pipeline.cc",
          "    InsertGroup(group);\n"
          "    context_.versions->SetLastSequence(last);\n"
          "    if (group->has_hooks) TellVisible(*group);\n",
          "    context_.versions->SetLastSequence(last);\n"
          "    InsertGroup(group);\n"
          "    if (group->has_hooks) TellVisible(*group);\n",
          UTILITIES, "Kinds/HistoriesTest.NoSnapshotSeesAPartOfACommit/Locking"),
    Plant(23, "a flush lets the log of a prepared section go",
          "db/intake/section_keeper.cc",
          "  sections_->Add(name, std::move(kept));\n"
          "  versions_->logs()->Hold(sections_->MinLog());\n",
          "  sections_->Add(name, std::move(kept));\n",
          UTILITIES, "Policies/TwoPhaseTest.FlushesAndNewLogsLeaveThemAlone/*"),
    Plant(23, "what is prepared is visible before it is committed",
          "utilities/transactions/pessimistic_transaction.cc",
          "  ClearSavePoints();\n"
          "  prepared_bytes_ = batch_.GetDataSize();\n",
          "  WriteBatch early = *batch_.GetWriteBatch();\n"
          "  (void)db_->Write(write_options_, &early);\n"
          "  ClearSavePoints();\n"
          "  prepared_bytes_ = batch_.GetDataSize();\n",
          UTILITIES, "Kinds/HistoriesTest.AreSerialisable/Locking"),
    Plant(23, "an optimistic commit looks for no conflicts",
          "utilities/transactions/optimistic_transaction.cc",
          "        if (newer.exists) return WrittenSince();\n",
          "",
          UTILITIES, "Kinds/HistoriesTest.AreSerialisable/Serial"),

    Plant(23, "a write whose sync failed counts as written",
          "db/intake/group_log.cc",
          "    s = wal_->Sync();\n"
          "    context_.counts->AddWalSync();\n",
          "    wal_->Sync().PermitUncheckedError();\n"
          "    context_.counts->AddWalSync();\n",
          UTILITIES, "Kinds/HistoriesTest.AreSerialisable*"),
    Plant(23, "a range lock is of the first key of its range",
          "utilities/transactions/pessimistic_transaction.cc",
          "             .end = end,\n",
          "             .end = options_.skip_prepare ? start : end,\n",
          UTILITIES, "Kinds/HistoriesTest.AreSerialisable/Ranges"),
    Plant(23, "a commit past the memtables lets the log of its section go",
          "db/intake/batch_ingest.cc",
          "  {\n"
          "    MutexLock lock(context_.mutex);\n"
          "    for (ColumnFamilyData* cfd : families) {\n"
          "      INVARIANT(cfd->mem()->empty());\n",
          "  if (hooks != nullptr) context_.sections->End(*hooks->section);\n"
          "  {\n"
          "    MutexLock lock(context_.mutex);\n"
          "    for (ColumnFamilyData* cfd : families) {\n"
          "      INVARIANT(cfd->mem()->empty());\n",
          UTILITIES, "Policies/TwoPhaseTest."
                     "TheLogOfACommittedSectionStaysUntilAFlush/"
                     "CommittedPastMemtables"),
    Plant(23, "a wait counts as one for those behind in line, too",
          "utilities/transactions/point_lock_manager.cc",
          "    if (before == &waiter) break;\n",
          "    if (before == &waiter) continue;\n",
          UTILITIES, "WaitGraphsTest.*"),
    Plant(23, "a circle of two waits is not seen",
          "utilities/transactions/wait_graph.cc",
          "      if (next == id) {\n",
          "      if (next == id && visited > 1) {\n",
          UTILITIES, "WaitGraphsTest.*"),

    Plant(23, "a commit that is logged anew lets its section's log go",
          "db/intake/section_keeper.cc",
          "  if (write.kind == SectionWrite::Kind::kCommit ||"
          " write.commits_anew) {\n",
          "  if (write.kind == SectionWrite::Kind::kCommit) {\n",
          UTILITIES, "*TwoPhaseTest.ACommitDuringAFlushHoldsTheLogOfItsSection*"),
    Plant(23, "what is prepared stays in front of a failed log",
          "db/intake/resumption.cc",
          "    if (begun.ok()) begun = CarryPrepared(log_number);\n",
          "",
          UTILITIES, "*HeldLogsTest.PowerLossAmidResumeLeavesABeginning*"),

    # ---- 24: direct and asynchronous reads: buffers, mixed answers, sizes
    Plant(24, "of several direct reads a bad one is as good as the others",
          "file/random_access_file_reader.cc",
          "    request.status = reads[span].status;\n",
          "    request.status = s;\n",
          FILE, "*RandomReaderTest.OneBadRequestDoesNotSpoilTheOthers*"),
    Plant(24, "an asynchronous read that failed has an answer",
          "file/async_file_read.cc",
          "  if (s.ok()) s = request_.status;\n",
          "",
          FILE, "AsyncFileReadTest.FailuresAreTold"),
    Plant(24, "the unit that a short direct read ends in counts twice",
          "file/input_stream.cc",
          "    request->done = from + part.done;\n",
          "    request->done += part.done;\n",
          FILE, "*InputStreamTest.ShortReadsAreNormal*"),
    Plant(24, "several direct reads come into one buffer",
          "file/random_access_file_reader.cc",
          "    span.buffer_offset = total;\n",
          "    span.buffer_offset = 0;\n",
          FILE, "*RandomReaderTest.*"),
    Plant(24, "a transfer of the ring that failed is whole",
          "env/posix/posix_uring.cc",
          "    transfer->error = -result;\n",
          "    transfer->error = 0;\n",
          ENV, "PosixUringTest.*"),

    # ---- 25: nonsense that is accepted: a family without a name
    Plant(25, "a family may be made without a name",
          "db/intake/family_changes.cc",
          "  if (name.empty()) {\n",
          "  if (name == \"?\") {\n",
          DB, "DbBasicTest.FamilyNamesAreChecked"),
    Plant(25, "a family may be opened without a name",
          "db/impl/db_open.cc",
          "    if (families[i].name.empty()) {\n",
          "    if (families[i].name == \"?\") {\n",
          DB, "DbBasicTest.FamilyNamesAreChecked"),
    Plant(25, "a range may end before it begins",
          "db/write/batch_check.cc",
          "  if (rules.order.CompareUserKeys(entry.key, entry.value) > 0) {\n",
          "  if (entry.key.empty()) {\n",
          DB, "DbBasicTest.AWriteThatCannotBeAsksForNothing"),

    # ---- 26: the mapped end of a log
    Plant(26, "pages count as ready for stores for ever",
          "env/posix/append_window.h",
          "                          now_millis_() < ready_until_millis_ &&\n",
          "",
          ENV, "AppendWindowTest.PagesThatAreGoneMeanwhile"),
    Plant(26, "the first bytes of an append do not wait for the others",
          "env/posix/append_window.cc",
          "  memcpy(out + kHeadBytes, data.data() + kHeadBytes, "
          "data.size() - kHeadBytes);\n",
          "  memcpy(out, data.data(), kHeadBytes);\n"
          "  std::atomic_signal_fence(std::memory_order_seq_cst);\n"
          "  memcpy(out + kHeadBytes, data.data() + kHeadBytes, "
          "data.size() - kHeadBytes);\n",
          ENV, "AppendWindowTest.AnAppendThatIsCutOffBeginsWithZeros"),
    Plant(26, "a file keeps the room of its window",
          "env/posix/posix_write_files.cc",
          "  if (has_allocated_ || window_ != nullptr) {\n",
          "  if (has_allocated_) {\n",
          ENV, "AppendWindowTest.*"),
    Plant(26, "a window outlives the cut of its file",
          "env/posix/posix_write_files.cc",
          "  if (window_ != nullptr) window_->Unmap();\n"
          "  IOStatus status = Cut(",
          "  IOStatus status = Cut(",
          ENV, "AppendWindowTest.CutAndGoneOnWith"),
    Plant(26, "a window that could not be mapped is taken for one",
          "env/posix/append_window.cc",
          "  if (!is_inside && !Map(offset)) return false;\n",
          "  if (!is_inside) (void)Map(offset);\n",
          ENV, "AppendWindowTest.Without*"),

    # ---- 27: a lost block of a log passes for padding
    Plant(27, "zeros where records were are passed over",
          "db/recovery/wal_replay.cc",
          "    if (reader.is_behind_zeros()) LookForLoss(record, &report);\n",
          "    if (reader.is_behind_zeros() && number == 0) {\n"
          "      LookForLoss(record, &report);\n"
          "    }\n",
          DB, "RecoveryModesScript.EveryCase"),
]
