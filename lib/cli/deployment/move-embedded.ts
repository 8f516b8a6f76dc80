import { progress } from '@/lib/cli/terminal/output';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { StartError } from '@/lib/entry/processes/start-settings';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import { createSecrets } from '@/lib/platform/config/secrets';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import type { Actor } from '@/lib/platform/core/actor';
import { isDatabaseUnavailable, isUnreachable, postgresError, sentenceOf } from '@/lib/platform/db/errors';
import { type MovedTable, moveDatabase } from '@/lib/platform/db/move-database';
import { groupDigits } from '@/lib/platform/i18n/format';
import { createLog } from '@/lib/platform/log/log';

/** From this number of rows on, the progress names a table. */
const LARGE = 10_000;

/**
 * Moves the embedded database of `settings` into an empty one, checks the ledger there, and records the move in the audit log there.
 * @param settings its database is the source. No other process uses it.
 * @param targetUrl the target, for the role that will own its tables.
 * @returns the tables that were moved. Throws a StartError if the move did not finish. The source is unchanged then.
 */
export async function moveEmbedded(settings: ConnectedSettings, targetUrl: string, actor: Actor): Promise<readonly MovedTable[]> {
  const log = createLog({ level: 'silent', format: 'json', process: 'cli' });
  const target = buildRuntime({
    settings: { ...settings, DATABASE_URL: targetUrl, DATABASE_POOL_SIZE: 1 },
    process: 'cli',
    secrets: createSecrets(settings),
    log,
    databaseNeed: 'writes',
  });
  try {
    return await moveDatabase({
      sourceUrl: settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL,
      targetUrl,
      onTable: ({ table, rows }) => rows >= LARGE && progress(`${groupDigits(BigInt(rows))} rows of ${table} are moved.`),
      async check() {
        const broken = (await verifyLedger(target.db)).filter(({ count }) => count > 0);
        if (broken.length > 0) {
          const names = broken.map(({ name }) => name).join(', ');
          throw new StartError(`The ledger has violations (${names}), in the embedded database as well. "bili doctor" shows them.`);
        }
        await recordEntry(target, { merchantId: null, environment: null, actor, action: 'database.moved', subject: 'database' });
      },
    });
  } catch (error) {
    if (error instanceof ExpectedError || !(postgresError(error) || isDatabaseUnavailable(error) || isUnreachable(error))) throw error;
    const message = `The move did not finish: ${sentenceOf(error)}. The embedded database is unchanged. Run the command again.`;
    throw new StartError(message, { cause: error });
  } finally {
    await target.db.close();
  }
}
