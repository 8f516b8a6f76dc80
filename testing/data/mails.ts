import { mailContext } from '@/lib/platform/mail/store';
import type { TestRuntime } from '../runtime';

/** Returns the mails to an address, oldest first. */
export async function mailsTo({ db, secrets }: TestRuntime, email: string): Promise<{ kind: string; text: string }[]> {
  const rows = await db.query<{ id: string; kind: string; text: Buffer }>(
    { text: 'SELECT id, kind, encrypted_text AS text FROM mail WHERE recipient = $1 ORDER BY created_at, id' },
    [email],
  );
  return rows.map(({ id, kind, text }) => ({ kind, text: secrets.decrypt(new Uint8Array(text), mailContext(id)) }));
}
