import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { drill } from '@/lib/cli/backup/drill';
import { checkRecipient, makeIdentity, readIdentities } from '@/lib/cli/backup/encryption';
import { type Manifest, nameTime } from '@/lib/cli/backup/format';
import { deleteOldBackups, makeBackup } from '@/lib/cli/backup/make-backup';
import { listNames, type OpenedBackup, openBackup, readManifest } from '@/lib/cli/backup/open-backup';
import { openStore } from '@/lib/cli/backup/open-store';
import { restoreEmbedded, restoreExternal } from '@/lib/cli/backup/restore-backup';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { callerPath, readInput, writeNewFile } from '@/lib/cli/terminal/files';
import { thisOperator } from '@/lib/cli/terminal/operator';
import { type JsonFlag, wholeNumber } from '@/lib/cli/terminal/options';
import { print, printList, progress, UserError } from '@/lib/cli/terminal/output';
import { type BackupKind, listBackupStatus, recordFailure, recordSuccess } from '@/lib/entry/backups/status-store';
import { connectedSettings, startSettings } from '@/lib/entry/processes/start-settings';

const PLACE = 'a folder, or s3://bucket/prefix';
const IDENTITY = 'the file with the identity that "bili backup key" has made';

interface From extends JsonFlag {
  readonly from: string;
  readonly identity: string;
  readonly backup?: string;
}

export function addBackupCommands(backup: Command): void {
  backup
    .command('make', { isDefault: true })
    .description('back up the database and the secrets, encrypted to a recipient')
    .requiredOption('--to <place>', PLACE)
    .requiredOption('--recipient <recipients...>', 'who can decrypt the backup; several recipients can be given')
    .option('--keep <number>', 'delete all complete backups but the newest ones; default: delete none', wholeNumber(1, 10_000))
    .action(async ({ to, recipient, keep, json }: JsonFlag & { to: string; recipient: readonly string[]; keep?: number }) => {
      recipient.forEach(checkRecipient);
      const made = await withRuntime((runtime) => makeAndRecord(runtime, { to, recipients: recipient, keep }), {
        databaseNeed: 'writes',
      });
      print(json, made, [`${describe(made.manifest)} is complete.`, ...made.deleted.map((name) => `deleted ${name}`)]);
    });
  backup
    .command('key')
    .description('make a key pair for backups: the recipient encrypts, and only the identity decrypts')
    .requiredOption('--output <file>', 'a new file for the identity')
    .action(async ({ output, json }: JsonFlag & { output: string }) => {
      const { identity, recipient } = await makeIdentity();
      await writeNewFile(output, [`# recipient: ${recipient}\n${identity}\n`]);
      print(json, { recipient, identityFile: callerPath(output) }, [
        `Recipient: ${recipient}`,
        'Use it for every backup: bili backup --recipient. It is not secret.',
        `The identity is in ${output}. Whoever has it can read all backups, and nobody can read them without it.`,
        'Keep two copies of that file, in different places: for example a password manager, and a printed page in a safe.',
        'Then delete it from this machine. Never keep it beside the database or beside the backups.',
      ]);
    });
  backup
    .command('list')
    .description('list the complete backups, oldest first')
    .requiredOption('--from <place>', PLACE)
    .action(async ({ from, json }: JsonFlag & { from: string }) => {
      const store = await openStore(from);
      const { complete, incomplete } = await listNames(store);
      const manifests: Manifest[] = [];
      for (const name of complete) manifests.push(await readManifest(store, name));
      for (const name of incomplete) progress(`${name} from ${nameTime(name)?.toISOString()} is not complete: it cannot be restored`);
      printList(json, manifests, manifests.map(describe), 'There is no complete backup.');
    });
  const drills = backup
    .command('drill')
    .description('restore a backup into a scratch database, check everything in it, delete it, and record the result for "bili doctor"');
  addFrom(drills)
    .option(
      '--scratch <place>',
      'for an external database: the URL of the server for the copy; embedded: a folder. Default: the same server',
    )
    .action(async ({ scratch, json, ...from }: From & { scratch?: string }) => {
      const drilled = await withRuntime((runtime) => recorded(runtime, 'drill', async () => drillNewest(runtime, from, scratch)), {
        databaseNeed: 'writes',
      });
      print(json, drilled, [`${drilled.name} was restored, and everything in it is right.`]);
    });
}

export function addRestoreCommand(program: Command): void {
  const restore = program
    .command('restore')
    .description('restore a backup into an empty database, or into a DATA_DIR without one, and put the copy on hold');
  addFrom(restore)
    .option(
      '--secret-key-to <file>',
      'a new file for SECRET_KEY of the backup, as lines of settings; needed for an external database if SECRET_KEY is not set',
    )
    .action(async ({ secretKeyTo, json, ...from }: From & { secretKeyTo?: string }) => {
      const backup = await openFrom(from);
      const { name } = backup.manifest;
      const { secretKey, secretKeyOther } = backup.secrets;
      const keys = { SECRET_KEY: secretKey, ...(secretKeyOther !== undefined && { SECRET_KEY_OTHER: secretKeyOther }) };
      const external = Boolean(process.env.DATABASE_URL);
      if (external && process.env.SECRET_KEY && process.env.SECRET_KEY !== secretKey)
        throw new UserError('SECRET_KEY is not that of the backup. Remove it from the environment, and add --secret-key-to <file>.');
      if (external && !process.env.SECRET_KEY && secretKeyTo === undefined)
        throw new UserError('Add --secret-key-to <file>: Bili needs SECRET_KEY of the backup to run with the restored database.');
      if (secretKeyTo !== undefined)
        await writeNewFile(
          secretKeyTo,
          Object.entries(keys).map(([key, value]) => `${key}=${value}\n`),
        );
      progress(`Restoring ${name}…`);
      const actor = thisOperator();
      const restoring = external
        ? restoreExternal(backup, { settings: connectedSettings({ ...process.env, ...keys }), actor })
        : restoreEmbedded(backup, { settings: startSettings(), actor });
      const differences = await restoring.catch(async (error: unknown) => {
        if (secretKeyTo !== undefined) await rm(callerPath(secretKeyTo));
        throw error;
      });
      print(json, { backup: name, differences }, [
        `${name} is restored. The copy is on hold: nothing is sent to providers, merchants or people.`,
        ...(secretKeyTo === undefined ? [] : [`SECRET_KEY is in ${secretKeyTo}.`]),
        'Next: "bili doctor", then reconcile statements for the time since the backup, then "bili hold end" if this copy is the live one.',
        'docs/operating.md#after-a-restore has all steps.',
      ]);
      if (differences.length > 0) throw new UserError(`The copy is not what was backed up:\n${differences.join('\n')}`);
    });
}

async function drillNewest(live: CommandRuntime, from: Omit<From, 'json'>, scratch: string | undefined): Promise<Manifest> {
  const backup = await openFrom(from);
  const { name } = backup.manifest;
  progress(`Restoring ${name} into a scratch database…`);
  const problems = await drill(backup, { live, scratch });
  if (problems.length > 0) throw new UserError(`The copy of ${name} is not right:\n${problems.join('\n')}`);
  return backup.manifest;
}

function addFrom(command: Command): Command {
  return command
    .requiredOption('--from <place>', PLACE)
    .requiredOption('--identity <file>', IDENTITY)
    .option('--backup <name>', 'the name of the backup, as "bili backup list" prints it; default: the newest complete one');
}

async function openFrom({ from, identity, backup: wanted }: Omit<From, 'json'>): Promise<OpenedBackup> {
  const identities = readIdentities((await readInput(identity)).toString());
  return openBackup(await openStore(from), { wanted, identities });
}

interface Made {
  readonly manifest: Manifest;
  /** The names of old backups that were deleted. */
  readonly deleted: readonly string[];
}

async function makeAndRecord(
  runtime: CommandRuntime,
  { to, recipients, keep }: { readonly to: string; readonly recipients: readonly string[]; readonly keep: number | undefined },
): Promise<Made> {
  const { superuserUrl } = runtime;
  // A place that cannot be opened, for example a disk that is not mounted, is recorded as well.
  const manifest = await recorded(runtime, 'backup', async () =>
    makeBackup(runtime, { store: await openStore(to), recipients, ...(superuserUrl && { superuserUrl }) }),
  );
  if (keep === undefined) return { manifest, deleted: [] };
  const proven = (await listBackupStatus(runtime.db)).find(({ kind }) => kind === 'drill')?.backup ?? null;
  return { manifest, deleted: await deleteOldBackups(await openStore(to), { keep, proven, now: runtime.clock() }) };
}

/** Runs a backup or a drill, and records whether it has succeeded, for `bili doctor` and the metrics. */
async function recorded(
  { db, clock }: Pick<CommandRuntime, 'db' | 'clock'>,
  kind: BackupKind,
  work: () => Promise<Manifest>,
): Promise<Manifest> {
  try {
    const manifest = await work();
    await recordSuccess(db, kind, manifest.name, clock());
    return manifest;
  } catch (error) {
    await recordFailure(db, kind, error instanceof Error ? error.message : String(error), clock()).catch(() => undefined);
    throw error;
  }
}

function describe({ name, startedAt, database, parts, version }: Manifest): string {
  const megabytes = parts.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
  const what = database === 'dump' ? 'dump of an external database' : 'copy of an embedded database';
  return `${name}  ${startedAt}  ${megabytes.toFixed(1)} MB  ${what}, Bili ${version}`;
}
