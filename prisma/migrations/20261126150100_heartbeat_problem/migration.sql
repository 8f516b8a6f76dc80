-- Why a process cannot do a part of its work, for `bili doctor`.
ALTER TABLE "heartbeat" ADD COLUMN "problem" TEXT;
