import { callerPath } from '@/lib/cli/terminal/files';
import { type BackupStore, openFolderStore } from './folder-store';
import { isBucket, openBucket } from './s3-store';

/** Opens a place of backups: `s3://bucket/prefix`, or a folder, relative to the folder of the caller. */
export async function openStore(place: string): Promise<BackupStore> {
  return isBucket(place) ? openBucket(place, process.env) : openFolderStore(callerPath(place));
}
