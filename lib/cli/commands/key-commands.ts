import { type Command, InvalidArgumentError, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { needAccess, operatorResult } from '@/lib/cli/terminal/operator';
import { type JsonFlag, needScope, type ScopeOptions, scopeCommand, shillings, wholeNumber } from '@/lib/cli/terminal/options';
import { print, printList, UserError } from '@/lib/cli/terminal/output';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { isScoped, KEY_SCOPES, type KeyScope, parseKeyScopes, USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { createKey, OVERLAPS, type Overlap, revokeKey, rollKey } from '@/lib/identity/keys/change-keys';
import { parseNetworks } from '@/lib/identity/keys/network-rules';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { findKey, type KeyRow, listKeyRows } from '@/lib/identity/keys/store';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';

interface CreateOptions extends ScopeOptions {
  readonly label: string;
  readonly expiresInDays?: number;
  readonly scopes: readonly KeyScope[];
  readonly allow: readonly string[];
  readonly maxBill?: Senti | null;
  readonly maxDay?: Senti | null;
}

const KEY = 'the API key, without its secret';

export function addKeyCommands(keys: Command): void {
  addCreate(keys);
  scopeCommand(keys, 'list', "list a merchant's API keys").action(async ({ json, ...options }: ScopeOptions) => {
    const { rows, now } = await withRuntime(async (runtime) => {
      const found = await listKeyRows(runtime.db, await needScope(runtime, options));
      return { rows: found, now: runtime.clock() };
    });
    const lines = rows.map((row) => describe(row, now));
    printList(json, rows, lines, 'There are no keys.');
  });
  keys
    .command('roll')
    .description('create the successor of an API key with the same name and limits; the secret is shown once')
    .argument('<key>', KEY)
    .addOption(new Option('--overlap <time>', 'how long the old key stays valid').choices(Object.keys(OVERLAPS)).default('day'))
    .action(async (id: string, { overlap, json }: JsonFlag & { overlap: Overlap }) => {
      const rolled = await withRuntime(async (runtime) => {
        const scope = await findKey(runtime.db, id);
        if (!scope) throw new UserError(`There is no key ${id}.`);
        return rollKey(runtime, operatorAccess(runtime.actor, scope), { id, overlap });
      });
      if (!rolled.ok) {
        throw new UserError(rolled.error === 'rolled_before' ? `${id} already has a successor.` : `There is no active key ${id}.`);
      }
      const { pair, oldEndsAt } = rolled.value;
      const end = oldEndsAt ? `is valid until ${oldEndsAt.toISOString()}` : `is valid until you run "bili key revoke ${id}"`;
      print(json, { apiKey: pair.id, apiSecret: pair.secret, replaces: id, oldEndsAt }, [...describePair(pair), `The old key ${end}.`]);
    });
  keys
    .command('revoke')
    .description('revoke an API key')
    .argument('<key>', KEY)
    .action(async (id: string, { json }: JsonFlag) => {
      const revoked = await withRuntime(async (runtime) => {
        const key = await findKey(runtime.db, id);
        return key ? revokeKey(runtime, operatorAccess(runtime.actor, key), id) : null;
      });
      if (!revoked?.ok) throw new UserError(`There is no active key ${id}.`);
      print(json, { apiKey: id, revoked: true }, [`${id} is revoked.`]);
    });
}

function addCreate(keys: Command): void {
  scopeCommand(keys, 'create', 'create an API key; the secret is shown once')
    .option('--label <label>', 'a name for the key', 'CLI')
    .addOption(new Option('--expires-in-days <days>', 'days until the key expires; default: never').argParser(wholeNumber(1, 3_650)))
    .addOption(
      new Option(
        '--scopes <scopes>',
        `what the key may be used for, separated by commas: ${KEY_SCOPES.join(', ')}; default: ${USUAL_KEY_SCOPES.join(', ')}`,
      )
        .argParser(scopesOf)
        .default(USUAL_KEY_SCOPES),
    )
    .addOption(
      new Option('--allow <networks>', 'addresses and networks from which the key may be used, separated by commas')
        .argParser(networks)
        .default([]),
    )
    .addOption(new Option('--max-bill <shillings>', 'maximum amount of a bill that the key creates').argParser(shillings))
    .addOption(new Option('--max-day <shillings>', 'maximum total of the bills that the key creates in a day').argParser(shillings))
    .action(async ({ label, expiresInDays, scopes, allow, maxBill = null, maxDay = null, json, ...options }: CreateOptions) => {
      const created = await withRuntime(async (runtime) => {
        const expiresAt = expiresInDays === undefined ? null : addMs(runtime.clock(), expiresInDays * DAY_MS);
        const limits = { scopes, networks: allow, billMax: maxBill, dayMax: maxDay };
        return createKey(runtime, await needAccess(runtime, options), { label, expiresAt, limits });
      });
      const pair = operatorResult(created);
      print(json, { apiKey: pair.id, apiSecret: pair.secret, environment: options.environment }, describePair(pair));
    });
}

function scopesOf(text: string): readonly KeyScope[] {
  const scopes = parseKeyScopes(text);
  if (!scopes) throw new InvalidArgumentError(`It must be one or more of ${KEY_SCOPES.join(', ')}, separated by commas`);
  return scopes;
}

function networks(text: string): string[] {
  const parsed = parseNetworks(text);
  if (!parsed.ok) throw new InvalidArgumentError('It must be IP addresses or networks, for example 41.59.10.7,41.59.0.0/16');
  return parsed.value;
}

function describePair({ id, secret }: KeyPair): string[] {
  return [`API key:    ${id}`, `API secret: ${secret}  (shown only once)`, `Header:     Authorization: ApiKey ${id}:${secret}`];
}

function describe({ id, label, scopes, lastUsedAt, lastAddress, lastRoute, replacesId, ...key }: KeyRow, now: Date): string {
  const used = lastUsedAt
    ? `last used ${lastUsedAt.toISOString()} from ${lastAddress ?? 'an unknown address'}, ${lastRoute}`
    : 'never used';
  return `${id}  ${label}  ${describeState(key, now)}  ${isScoped(scopes) ? `only ${scopes.join(', ')}  ` : ''}${used}${replacesId ? `  replaces ${replacesId}` : ''}`;
}

function describeState({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, now: Date): string {
  if (revokedAt) return 'revoked';
  if (expiresAt === null) return 'active';
  return `${expiresAt > now ? 'active until' : 'expired'} ${expiresAt.toISOString()}`;
}
