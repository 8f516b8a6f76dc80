import { expect, test } from 'vitest';
import { BACKUP_KINDS, recordFailure, recordSuccess } from '@/lib/entry/backups/status-store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { testRuntime } from '@/testing/runtime';
import { examineBackups } from './examine-backups';

const runtime = testRuntime();
const levels = async () => (await examineBackups(runtime())).map(({ level }) => level);

test('doctor says when the last backup and the last drill were, and what failed', async () => {
  const { db, clock } = runtime();
  const now = clock();
  expect(await levels()).toEqual(['note', 'note']);
  await recordFailure(db, 'drill', 'a part is damaged', now);
  expect(await levels()).toEqual(['note', 'wrong']);
  for (const kind of BACKUP_KINDS) await recordSuccess(db, kind, 'bili-1', addMs(now, 1));
  expect(await levels()).toEqual(['ok', 'ok']);
  await recordFailure(db, 'backup', 'the disk is full', addMs(now, 2));
  const [backup] = await examineBackups(runtime());
  expect(backup).toMatchObject({
    level: 'wrong',
    text: expect.stringContaining('bili-1'),
    details: [expect.stringContaining('the disk is full')],
  });
  await recordSuccess(db, 'backup', 'bili-2', addMs(now, 3));
  runtime().advance(37 * HOUR_MS);
  expect(await levels()).toEqual(['wrong', 'ok']);
  runtime().advance(8 * DAY_MS);
  expect(await levels()).toEqual(['wrong', 'wrong']);
});
