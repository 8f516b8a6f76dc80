import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Runtime } from '@/lib/runtime/runtime';
import type { SessionOwner, SessionStore, SharedSession } from './session-port';

interface SessionRow {
  readonly sealed: Uint8Array;
  readonly openedAt: Date;
  readonly usableAt: Date;
  readonly endsAt: Date;
}

const sealedSchema = z.object({
  token: z.string(),
  previous: z.object({ token: z.string(), endsAt: z.coerce.date() }).nullable(),
});

/** The sessions in the database, one row per account; tokens are readable only with SECRET_KEY. */
export function createSessionStore({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>): SessionStore {
  const seal = ({ id }: SessionOwner, { token, previous }: SharedSession) =>
    Buffer.from(secrets.encrypt(JSON.stringify({ token, previous }), contextOf(id)));

  return {
    async find(owner) {
      const [row] = await db.query<SessionRow>(
        {
          text: `SELECT encrypted_token AS sealed, opened_at AS "openedAt", usable_at AS "usableAt", ends_at AS "endsAt"
                 FROM provider_session WHERE account_id = $1 AND credentials_hash = $2 AND encrypted_token IS NOT NULL`,
        },
        [owner.id, hashOf(owner)],
      );
      if (!row) return null;
      const { sealed, ...instants } = row;
      return { ...instants, ...sealedSchema.parse(JSON.parse(secrets.decrypt(sealed, contextOf(owner.id)))) };
    },
    async claim(owner, { replaces, now, leaseUntil }) {
      // A row of other credentials is nobody's any more, whatever lease is on it.
      const [claimed] = await db.query<{ leaseToken: number }>(
        {
          text: `
INSERT INTO provider_session AS s (account_id, credentials_hash, lease_until, lease_token) VALUES ($1, $2, $4, 1)
ON CONFLICT (account_id) DO UPDATE SET
  credentials_hash = $2, lease_until = $4, lease_token = s.lease_token + 1,
  encrypted_token = CASE WHEN s.credentials_hash = $2 THEN s.encrypted_token END,
  opened_at = CASE WHEN s.credentials_hash = $2 THEN s.opened_at END,
  usable_at = CASE WHEN s.credentials_hash = $2 THEN s.usable_at END,
  ends_at = CASE WHEN s.credentials_hash = $2 THEN s.ends_at END
WHERE s.credentials_hash <> $2 OR (s.opened_at IS NOT DISTINCT FROM $5 AND (s.lease_until IS NULL OR s.lease_until <= $3))
RETURNING lease_token AS "leaseToken"`,
        },
        [owner.id, hashOf(owner), now, leaseUntil, replaces],
      );
      return claimed?.leaseToken ?? null;
    },
    async save(owner, leaseToken, session) {
      await db.query(
        {
          text: `UPDATE provider_session SET encrypted_token = $3, opened_at = $4, usable_at = $5, ends_at = $6, lease_until = NULL
                 WHERE account_id = $1 AND lease_token = $2`,
        },
        [owner.id, leaseToken, seal(owner, session), session.openedAt, session.usableAt, session.endsAt],
      );
    },
    async release(owner, leaseToken) {
      await db.query({ text: 'UPDATE provider_session SET lease_until = NULL WHERE account_id = $1 AND lease_token = $2' }, [
        owner.id,
        leaseToken,
      ]);
    },
    async reduce(owner, openedAt, left) {
      await db.query(
        {
          text: `UPDATE provider_session SET encrypted_token = $4, opened_at = $5, usable_at = $6, ends_at = $7
                 WHERE account_id = $1 AND credentials_hash = $2 AND opened_at = $3`,
        },
        [
          owner.id,
          hashOf(owner),
          openedAt,
          left && seal(owner, left),
          left?.openedAt ?? null,
          left?.usableAt ?? null,
          left?.endsAt ?? null,
        ],
      );
    },
  };
}

function contextOf(accountId: string): string {
  return `provider-session:${accountId}`;
}

function hashOf({ credentials }: SessionOwner): Buffer {
  return createHash('sha256')
    .update(credentials ?? '')
    .digest();
}
