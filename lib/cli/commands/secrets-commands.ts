import { setTimeout as delay } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import { type CommandRuntime, withRuntime } from '@/lib/cli/deployment/connect';
import { isStarted } from '@/lib/cli/deployment/instance';
import type { JsonFlag } from '@/lib/cli/terminal/options';
import { print, progress, UserError } from '@/lib/cli/terminal/output';
import { countEncrypted } from '@/lib/entry/keys/encrypted-columns';
import { renewKeys, replaceLost } from '@/lib/entry/keys/replace-lost';
import { type RotateProblem, rotateKey } from '@/lib/entry/keys/rotate-key';
import { startSettings } from '@/lib/entry/processes/start-settings';
import { listLivingProcesses, type SeenProcess } from '@/lib/entry/processes/store';
import { replaceStoredKey, storeSecrets } from '@/lib/platform/config/data-dir';
import { createSecrets, PURPOSES, type Purpose } from '@/lib/platform/config/secrets';
import type { Settings } from '@/lib/platform/config/settings';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';

const IN_USE = 'Processes of this installation run, or ran in the last minute: stop web and workers first.';

/** How long the processes may take to start with other keys. A killed process is seen for a minute. */
const RESTART_MS = 3 * MINUTE_MS;

export function addSecretsCommands(secrets: Command): void {
  secrets
    .command('list')
    .description('list the master keys in use, what is encrypted with each, and which processes have them')
    .action(async ({ json }: JsonFlag) => {
      const found = await withRuntime(
        async ({ db, secrets: { keyIds } }) => ({ keyIds, values: await countEncrypted(db), processes: await listLivingProcesses(db) }),
        { databaseNeed: 'answers' },
      );
      const { values } = found;
      const [current, other = null] = found.keyIds;
      const processes = found.processes.map(({ role, host, pid, keyIds }) => ({ role, host, pid, keyIds }));
      const sum = (keyId: string | null) => values.filter((one) => one.keyId === keyId).reduce((total, one) => total + one.values, 0);
      const foreign = [...new Set(values.map(({ keyId }) => keyId))].filter((id) => id !== null && id !== current && id !== other);
      print(json, { current, other, values, processes }, [
        `${current} encrypts and decrypts: ${sum(current)} values`,
        ...(other === null ? [] : [`${other} only decrypts: ${sum(other)} values`]),
        ...(sum(null) > 0 ? [`the first key of this database: ${sum(null)} values, which do not name their key`] : []),
        ...foreign.map((id) => `${id} is not in the settings: ${sum(id)} values`),
        ...processes.map((one) => `${nameOf(one)} has ${one.keyIds.join(', ') || 'the keys of an older version'}`),
      ]);
    });
  secrets
    .command('rotate')
    .description('encrypt all secrets again with the current master key; an embedded installation gets a new master key first')
    .action(async ({ json }: JsonFlag) => {
      const settings = startSettings();
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
      const done = await withRuntime((runtime) =>
        settings.SECRET_KEY === undefined
          ? rotateStoredKey(runtime, settings, stopping.signal)
          : rotate(runtime, runtime.secrets, stopping.signal),
      );
      print(json, done, [
        `${done.values} values were encrypted again. Nothing in the database needs another key than ${done.keyId} any more.`,
        settings.SECRET_KEY === undefined
          ? 'The old key was removed from DATA_DIR.'
          : 'Remove SECRET_KEY_OTHER from the settings, and start all processes again.',
      ]);
    });
  secrets
    .command('renew')
    .description('replace stored keys after the master key from which they were derived has leaked; what depends on them becomes invalid')
    .addArgument(new Argument('<purposes...>', 'what the keys are for').choices(PURPOSES))
    .action(async (purposes: Purpose[], { json }: JsonFlag) => {
      const result = await withRuntime((runtime) => renewKeys(runtime, { purposes, actor: runtime.actor }));
      if (!result.ok)
        throw new UserError(
          result.error === 'in_use' ? IN_USE : 'These keys come from the current master key: replace the master key first.',
        );
      print(json, { purposes }, [`New keys: ${purposes.join(', ')}.`]);
    });
  secrets
    .command('lost')
    .description('make a database usable whose master key is lost: replaces or drops every secret that the current key cannot decrypt')
    .action(async ({ json }: JsonFlag) => {
      const result = await withRuntime((runtime) => replaceLost(runtime, runtime.actor), { anyKey: true });
      if (!result.ok) throw new UserError(IN_USE);
      const { values, purposes, accounts } = result.value;
      const columns = Object.entries(values).map(([column, count]) => `${column}: ${count}`);
      print(
        json,
        result.value,
        columns.length === 0
          ? ['Nothing is lost: the current master key decrypts everything.']
          : [
              'What could not be decrypted was replaced or dropped:',
              ...columns,
              `New keys: ${purposes.join(', ')}.`,
              ...accounts.map((id) => `Enter the credentials again before a worker starts: bili provider update ${id} --config <file>`),
            ],
      );
    });
}

interface Rotated {
  readonly keyId: string;
  readonly values: number;
}

async function rotate(runtime: CommandRuntime, secrets: CommandRuntime['secrets'], signal: AbortSignal): Promise<Rotated> {
  const result = await rotateKey({ ...runtime, secrets }, { actor: runtime.actor, signal });
  if (!result.ok) throw new UserError(describe(result.error));
  return { keyId: secrets.keyIds[0], values: result.value };
}

/** Replaces the master key in DATA_DIR. Processes that run get each change from their supervisor, which starts them again. */
async function rotateStoredKey(runtime: CommandRuntime, { DATA_DIR }: Settings, signal: AbortSignal): Promise<Rotated> {
  const masterKeys = async () => {
    const { secretKey, otherSecretKey } = await storeSecrets(DATA_DIR, undefined);
    return createSecrets({ SECRET_KEY: secretKey, SECRET_KEY_OTHER: otherSecretKey });
  };
  await replaceStoredKey(DATA_DIR, 'add');
  const added = await masterKeys();
  await waitForProcesses(runtime, DATA_DIR, (keyIds) => added.keyIds.every((id) => keyIds.includes(id)));
  await replaceStoredKey(DATA_DIR, 'swap');
  const swapped = await masterKeys();
  await waitForProcesses(runtime, DATA_DIR, ([first]) => first === swapped.keyIds[0]);
  const done = await rotate(runtime, swapped, signal);
  await replaceStoredKey(DATA_DIR, 'drop');
  return done;
}

/** Waits until all processes of the installation in DATA_DIR have certain keys. Returns at once if it does not run. */
async function waitForProcesses({ db }: CommandRuntime, dataDir: string, haveKeys: (keyIds: readonly string[]) => boolean): Promise<void> {
  if (!(await isStarted(dataDir))) return;
  progress('Waiting until web and worker have started with the other keys…');
  const deadline = Date.now() + RESTART_MS;
  for (;;) {
    const processes = await listLivingProcesses(db);
    const complete = ['web', 'worker'].every((role) => processes.some((one) => one.role === role));
    if (complete && processes.every(({ keyIds }) => haveKeys(keyIds))) return;
    if (Date.now() > deadline) throw new UserError('Web and worker have not started with the other keys. See their log, and try again.');
    await delay(SECOND_MS / 2);
  }
}

function describe(problem: RotateProblem): string {
  switch (problem.code) {
    case 'one_key':
      return 'SECRET_KEY is the only master key. See docs/operating.md#replace-the-master-key.';
    case 'writers':
      return `Some processes still encrypt with another key: ${problem.processes.map(nameOf).join(', ')}. Start them with the same SECRET_KEY first. A killed process is listed for a minute.`;
    case 'unreadable':
      return `${problem.value} cannot be decrypted with any key of the settings. Add its key. If it is lost, see "bili secrets lost --help".`;
    case 'stopped':
      return `Stopped after ${problem.replaced} values. Run the command again to encrypt the others.`;
  }
}

function nameOf({ role, pid, host }: Pick<SeenProcess, 'role' | 'pid' | 'host'>): string {
  return `${role} ${pid} on ${host}`;
}
