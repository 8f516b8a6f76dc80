import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '@/lib/cli/terminal/output';
import { examine } from '@/lib/entry/doctor/examine';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { parseHead } from '@/lib/identity/audit/chain-rules';
import { listChains } from '@/lib/identity/audit/chain-store';
import { describeBreak, verifyChain } from '@/lib/identity/audit/verify-chain';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { postgresError } from '@/lib/platform/db/errors';
import { migrate } from '@/lib/platform/db/migrate';
import { withSession } from '@/lib/platform/db/with-session';
import { openSecrets } from '@/lib/platform/keys/open-secrets';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { createRegistry } from '@/lib/providers/registry';
import type { OpenedBackup } from './open-backup';
import { compareWith, restoreInto, withCopiedFolder, withCopy } from './restore-backup';

/** The database that a drill creates and drops. One that a killed drill has left is dropped by the next. */
const SCRATCH = 'bili_drill';
/** The checks of `doctor` that say something about a copy that nothing runs on. The sums of the ledger are checked completely anyway. */
const CHECKS = ['schema_current', 'schema_unchanged', 'accounts_usable'];

interface Options {
  /** The live installation. Its key verifies the audit log of the copy. */
  readonly live: Pick<Runtime, 'secrets' | 'settings'>;
  /** For a dump: the URL of the server for the copy, with a role that may create databases. For a folder: the folder in which the copy is made. */
  readonly scratch: string | undefined;
}

/**
 * Restores a backup into a scratch database, checks everything in it, and deletes it. Nothing is sent from it, because no process uses it.
 * @returns a sentence for each problem. Throws a UserError if the backup cannot be restored.
 */
export async function drill(backup: OpenedBackup, { live, scratch }: Options): Promise<string[]> {
  const { secretKey, secretKeyOther } = backup.secrets;
  const settings = { ...live.settings, SECRET_KEY: secretKey, SECRET_KEY_OTHER: secretKeyOther };
  if (backup.manifest.database === 'folder') {
    const folder = await mkdtemp(join(scratch ?? tmpdir(), 'bili-drill-'));
    try {
      return await withCopiedFolder(folder, backup, (connected) => inspect(backup, live, { ...settings, ...connected }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const server = scratch ?? live.settings.MIGRATE_DATABASE_URL ?? live.settings.DATABASE_URL;
  return withScratchDatabase(server, async (url) => {
    await restoreInto(url, backup, settings);
    return inspect(backup, live, { ...settings, DATABASE_URL: url, MIGRATE_DATABASE_URL: url });
  });
}

async function withScratchDatabase<Value>(server: string, work: (url: string) => Promise<Value>): Promise<Value> {
  const run = (sql: string) =>
    withSession(server, 'writes', async (session, hostUrl) => {
      // The copy of a large installation takes longer than the usual limit to create or to delete.
      await session.query('SET statement_timeout = 0');
      await session.query(sql);
      return hostUrl;
    });
  const remove = () => run(`DROP DATABASE IF EXISTS ${SCRATCH} WITH (FORCE)`);
  try {
    await remove();
    const url = new URL(await run(`CREATE DATABASE ${SCRATCH} TEMPLATE template0`));
    url.pathname = `/${SCRATCH}`;
    return await work(url.href).finally(remove);
  } catch (error) {
    if (postgresError(error)?.code !== '42501') throw error;
    throw new UserError(
      'This role may not create databases: add --scratch with the URL of a server and a role that may (CREATE ROLE … CREATEDB).',
    );
  }
}

async function inspect(backup: OpenedBackup, live: Options['live'], settings: ConnectedSettings): Promise<string[]> {
  const differences = await compareWith(backup, settings);
  await migrate(settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL, { applicationUrl: settings.DATABASE_URL });
  return withCopy(settings, async (copy) => {
    const broken = (await verifyLedger(copy.db)).filter(({ count }) => count > 0);
    const opened = { ...copy, secrets: await openSecrets(copy.db, settings, { store: false }) };
    const findings = await examine({ ...opened, providers: createRegistry(opened, null), quick: true });
    return [
      ...differences,
      ...broken.map(
        ({ name, count, first: [first] }) =>
          `${count} violations of ${name}${first ? `, for example ${first.subject}: ${first.detail}` : ''}`,
      ),
      ...(await verifyAudit(backup, { db: copy.db, secrets: live.secrets })),
      ...findings.flatMap(({ name, level, details }) => (CHECKS.includes(name) && level === 'wrong' ? details : [])),
    ];
  });
}

/** Verifies every chain of the copy, and that it contains the head which the backup names. */
async function verifyAudit({ secrets: { heads } }: OpenedBackup, copy: Pick<Runtime, 'db' | 'secrets'>): Promise<string[]> {
  const kept = new Map(heads.flatMap((text) => parseHead(text) ?? []).map((head) => [head.chain, head]));
  const problems: string[] = [];
  for (const chain of new Set([...(await listChains(copy.db)), ...kept.keys()])) {
    const head = kept.get(chain);
    const { broken } = await verifyChain(copy, { chain, ...(head && { kept: head }) });
    if (broken) problems.push(`audit log, ${chain}: ${describeBreak(broken, 'en')}`);
  }
  return problems;
}
