import { webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { secondFactorContext } from '@/lib/identity/accounts/sign-in/second-factor-store';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { derivedKey, mail, providerAccount, providerSession, secondFactor, webhookEndpoint } from '@/lib/platform/db/generated/tables';
import { bytea, environment, int4, neverNull, nullable, type SqlType, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, variant } from '@/lib/platform/db/statement';
import { derivedKeyContext } from '@/lib/platform/keys/open-secrets';
import { mailContext } from '@/lib/platform/mail/store';
import { credentialsContext } from '@/lib/providers/accounts/account-store';
import { sessionContext } from '@/lib/providers/port/session-store';

/** A row with an encrypted value. */
export interface EncryptedRow {
  readonly id: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly value: Uint8Array;
}

interface Column {
  /** The column, as `table.column`. */
  readonly name: `${string}.${string}`;
  /** The column that identifies the row. */
  readonly id: SqlType<string>;
  /** Whether the context of the encryption needs the merchant and the environment of the row. */
  readonly scoped?: boolean;
  readonly contextOf: (row: EncryptedRow) => string;
}

const webhookSecret = ({ merchantId, environment }: EncryptedRow) =>
  webhookContext({ merchantId: merchantId ?? '', environment: environment ?? 'live' });

/**
 * All encrypted columns of the database. The stored keys are the last, so a process can start with the new key alone only when everything
 * else is encrypted with it.
 */
const COLUMNS = [
  { name: 'webhook_endpoint.encrypted_secret', id: webhookEndpoint.id, scoped: true, contextOf: webhookSecret },
  { name: 'webhook_endpoint.encrypted_previous_secret', id: webhookEndpoint.id, scoped: true, contextOf: webhookSecret },
  { name: 'provider_account.encrypted_credentials', id: providerAccount.id, contextOf: ({ id }) => credentialsContext(id) },
  { name: 'provider_session.encrypted_token', id: providerSession.accountId, contextOf: ({ id }) => sessionContext(id) },
  { name: 'second_factor.encrypted_secret', id: secondFactor.userId, contextOf: ({ id }) => secondFactorContext(id) },
  { name: 'mail.encrypted_text', id: mail.id, contextOf: ({ id }) => mailContext(id) },
  { name: 'derived_key.encrypted_key', id: derivedKey.purpose, contextOf: ({ id }) => derivedKeyContext(id) },
] as const satisfies readonly Column[];

export const ENCRYPTED_COLUMNS = COLUMNS.map(({ name, id, contextOf, ...rest }) => {
  const [table, column] = name.split('.');
  const scoped = 'scoped' in rest;
  const [merchantId, environmentName] = scoped ? ['merchant_id', 'environment'] : ['NULL::uuid', 'NULL::environment'];
  const row = {
    id: neverNull<string>(text),
    merchantId: scoped ? webhookEndpoint.merchantId : nullable(uuid),
    environment: scoped ? webhookEndpoint.environment : nullable(environment),
  };
  return {
    name,
    contextOf,
    /** Lists values that do not begin with `head`, after the row with the id `after`, by id. */
    list: variant({
      name: `list values of ${name}`,
      text: `SELECT ${id.column}::text AS id, ${merchantId} AS "merchantId", ${environmentName} AS environment, ${column} AS value
             FROM ${table} WHERE substr(${column}, 1, 5) <> $head AND ($after::${id.name} IS NULL OR ${id.column} > $after)
             ORDER BY ${id.column} LIMIT $limit::int`,
      parameters: { head: bytea, after: nullable(id), limit: int4 },
      columns: { ...row, value: neverNull(bytea) },
    }),
    /** Replaces a value, unless somebody else has changed it. */
    replace: variant({
      name: `replace a value of ${name}`,
      text: `UPDATE ${table} SET ${column} = $next WHERE ${id.column} = $id AND ${column} = $old RETURNING 1 AS replaced`,
      parameters: { id, old: bytea, next: bytea },
      columns: { replaced: int4 },
    }),
    /** Counts the values of each key. Values of version 1 do not name their key. */
    count: variant({
      name: `count values of ${name}`,
      text: `SELECT CASE get_byte(${column}, 0) WHEN 2 THEN encode(substr(${column}, 2, 4), 'hex') END AS "keyId", count(*)::int AS values
             FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
      columns: { keyId: nullable(text), values: neverNull(int4) },
    }),
  };
});
registerVariants(ENCRYPTED_COLUMNS.flatMap(({ list, replace, count }) => [list, replace, count]));

export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

/** Returns the bytes with which every value begins that is encrypted with the current master key. Values of version 1 never match. */
export function headOf({ keyIds: [current] }: Secrets): Buffer {
  return Buffer.concat([Buffer.of(2), Buffer.from(current, 'hex')]);
}

interface KeyCount {
  /** The column, as `table.column`. */
  readonly column: string;
  /** The id of the master key; null for values that were written before there was a second key. */
  readonly keyId: string | null;
  readonly values: number;
}

/** Counts the encrypted values of the database by column and master key. */
export async function countEncrypted(db: Queryable): Promise<KeyCount[]> {
  const counts: KeyCount[] = [];
  for (const { name, count } of ENCRYPTED_COLUMNS) {
    for (const { keyId, values } of await count.rows(db, {})) counts.push({ column: name, keyId, values });
  }
  return counts;
}
