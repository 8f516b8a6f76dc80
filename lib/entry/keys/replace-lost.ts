import { listLivingProcesses } from '@/lib/entry/processes/store';
import { formatSecret } from '@/lib/gateway/webhooks/rules';
import { deleteSecondFactor } from '@/lib/identity/accounts/sign-in/second-factor-store';
import { authenticate } from '@/lib/identity/audit/chain-rules';
import { findHead, listChains } from '@/lib/identity/audit/chain-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { createSecrets, firstKeys, type Purpose } from '@/lib/platform/config/secrets';
import type { Actor } from '@/lib/platform/core/actor';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import { encryptDerivedKey } from '@/lib/platform/keys/open-secrets';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { ENCRYPTED_COLUMNS, type EncryptedRow, headOf } from './encrypted-columns';
import { decryptOrNull } from './rotate-key';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;
type Change = Needs & Pick<Runtime, 'secrets'> & { readonly tx: Connection; readonly actor: Actor };

const PAGE = 500;

/** What becomes of the values of each column that nobody can read any more. */
const REPLACE: Readonly<
  Record<(typeof ENCRYPTED_COLUMNS)[number]['name'], (change: Change, rows: readonly EncryptedRow[]) => Promise<unknown>>
> = {
  'webhook_endpoint.encrypted_secret': replaceSigningSecrets,
  'webhook_endpoint.encrypted_previous_secret': ({ tx }, rows) =>
    tx.prisma.webhookEndpoint.updateMany({
      where: { id: { in: idsOf(rows) } },
      data: { encryptedPreviousSecret: null, previousSecretUntil: null },
    }),
  'provider_account.encrypted_credentials': ({ tx }, rows) =>
    tx.prisma.providerAccount.updateMany({ where: { id: { in: idsOf(rows) } }, data: { encryptedCredentials: null } }),
  'provider_session.encrypted_token': ({ tx }, rows) => tx.prisma.providerSession.deleteMany({ where: { accountId: { in: idsOf(rows) } } }),
  'second_factor.encrypted_secret': removeSecondFactors,
  'mail.encrypted_text': ({ tx, clock }, rows) =>
    tx.prisma.mail.updateMany({
      where: { id: { in: idsOf(rows) } },
      data: {
        state: 'FAILED',
        encryptedText: null,
        dueAt: null,
        leaseUntil: null,
        settledAt: clock(),
        lastError: 'the key that encrypted this mail is lost',
      },
    }),
  'derived_key.encrypted_key': ({ tx }, rows) => tx.prisma.derivedKey.deleteMany({ where: { purpose: { in: idsOf(rows) } } }),
};

interface Lost {
  /** How many values of each column were replaced or dropped, by `table.column`. Columns without such a value are left out. */
  readonly values: Readonly<Record<string, number>>;
  /** The purposes that have a new key. */
  readonly purposes: readonly string[];
  /** The ids of the provider accounts that need their credentials again. */
  readonly accounts: readonly string[];
}

/**
 * Makes a database usable whose master key is lost: everything that the current master key can decrypt stays, everything else is replaced
 * or dropped, in one transaction. Fails with `in_use` if processes run, because they still have other keys.
 */
export async function replaceLost(runtime: Needs, actor: Actor): Promise<Result<Lost, 'in_use'>> {
  const secrets = createSecrets(runtime.settings);
  if ((await listLivingProcesses(runtime.db)).length > 0) return fail('in_use');
  return runtime.db.transaction(async (tx) => {
    const change = { ...runtime, secrets, tx, actor };
    const lost = new Map<string, readonly EncryptedRow[]>();
    for (const column of ENCRYPTED_COLUMNS) {
      const rows: EncryptedRow[] = [];
      for (let after: string | null = null; ; ) {
        const page = await column.list.rows(tx, { head: headOf(secrets), after, limit: PAGE });
        rows.push(...page.filter((row) => decryptOrNull(secrets, column, row) === null));
        const last = page.at(-1);
        if (!last || page.length < PAGE) break;
        after = last.id;
      }
      if (rows.length === 0) continue;
      await REPLACE[column.name](change, rows);
      lost.set(column.name, rows);
    }
    if (lost.size === 0) return ok({ values: {}, purposes: [], accounts: [] });
    const purposes = await makeDerivedKeys(change);
    const values = Object.fromEntries([...lost].map(([name, rows]) => [name, rows.length]));
    const entry = { merchantId: null, environment: null, actor, action: 'master_key.lost', subject: secrets.keyIds[0] };
    await recordEntry(runtime, { ...entry, data: values }, tx);
    return ok({ values, purposes, accounts: idsOf(lost.get('provider_account.encrypted_credentials') ?? []) });
  });
}

interface RenewOptions {
  readonly purposes: readonly Purpose[];
  readonly actor: Actor;
}

/**
 * Replaces stored keys by others, after a leak of the master key from which they were derived. Fails with `in_use` if processes run, because
 * they still have the old ones, and with `same_key` while the current master key is the one from which the stored keys were derived.
 */
export async function renewKeys(
  runtime: Needs & Pick<Runtime, 'secrets'>,
  { purposes, actor }: RenewOptions,
): Promise<Result<null, 'in_use' | 'same_key'>> {
  const first = firstKeys(runtime.settings.SECRET_KEY);
  if (purposes.some((purpose) => first.get(purpose)?.equals(runtime.secrets.key(purpose)))) return fail('same_key');
  if ((await listLivingProcesses(runtime.db)).length > 0) return fail('in_use');
  return runtime.db.transaction(async (tx) => {
    await tx.prisma.derivedKey.deleteMany({ where: { purpose: { in: [...purposes] } } });
    await makeDerivedKeys({ ...runtime, tx, actor });
    const [subject] = runtime.secrets.keyIds;
    const entry = { merchantId: null, environment: null, actor, action: 'derived_keys.renewed', subject };
    await recordEntry(runtime, { ...entry, data: { purposes: purposes.join(' ') } }, tx);
    return ok(null);
  });
}

function idsOf(rows: readonly EncryptedRow[]): string[] {
  return rows.map(({ id }) => id);
}

/** Gives endpoints new signing secrets. The merchants see them in the dashboard. */
async function replaceSigningSecrets(change: Change, rows: readonly EncryptedRow[]): Promise<void> {
  const { tx, secrets, random, actor } = change;
  const [column] = ENCRYPTED_COLUMNS;
  for (const row of rows) {
    const encryptedSecret = secrets.encrypt(formatSecret(random(32)), column?.contextOf(row) ?? '');
    await tx.prisma.webhookEndpoint.update({ where: { id: row.id }, data: { encryptedSecret, updatedAt: change.clock() } });
    const { merchantId, environment } = row;
    const data = { previousUntil: null };
    await recordEntry(change, { merchantId, environment, actor, action: 'webhook.secret_rotated', subject: row.id, data }, tx);
  }
}

/** Removes second factors. Their people sign in with the password only, and set up a new one where it is required. */
async function removeSecondFactors(change: Change, rows: readonly EncryptedRow[]): Promise<void> {
  const { tx, actor } = change;
  for (const { id } of rows) {
    await deleteSecondFactor(tx, id);
    await recordEntry(change, { merchantId: null, environment: null, actor, action: 'second-factor.removed', subject: id }, tx);
  }
}

/**
 * Stores a new key for each purpose that has none, and drops or renews what depends on the old ones and would not work with the new ones.
 * Returns these purposes.
 */
async function makeDerivedKeys({ tx, clock, secrets, settings }: Change): Promise<Purpose[]> {
  const kept = new Set((await tx.prisma.derivedKey.findMany({ select: { purpose: true } })).map(({ purpose }) => purpose));
  const made = [...firstKeys(settings.SECRET_KEY)].filter(([purpose]) => !kept.has(purpose));
  await tx.prisma.derivedKey.createMany({
    data: made.map(([purpose, key]) => ({ purpose, encryptedKey: encryptDerivedKey(secrets, purpose, key), createdAt: clock() })),
  });
  for (const [purpose, key] of made) {
    // Browsers subscribe with the public key of the installation, and push services refuse any other.
    if (purpose === 'push') await tx.prisma.pushSubscription.deleteMany();
    if (purpose === 'recovery-code') await tx.prisma.recoveryCode.deleteMany();
    if (purpose === 'audit') await sealHeads(tx, key);
  }
  return made.map(([purpose]) => purpose);
}

/** Lets the chains of the audit log continue. Whether earlier rows were changed can be checked only as far as the rows fit each other. */
async function sealHeads(tx: Connection, key: Buffer): Promise<void> {
  for (const chain of await listChains(tx)) {
    const head = await findHead(tx, chain);
    if (head) await tx.prisma.auditHead.update({ where: { chain }, data: { mac: new Uint8Array(authenticate(key, head)) } });
  }
}
