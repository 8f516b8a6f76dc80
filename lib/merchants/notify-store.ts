import type { Queryable } from '@/lib/db/database';
import type { Locale } from '@/lib/i18n/translator';
import { readNotify, type Topic } from './notify-rules';

interface MerchantToTell {
  readonly slug: string;
  readonly name: string;
  /** Null: nobody has chosen one. */
  readonly language: Locale | null;
  /** E-mail addresses of whoever is to be told: those chosen, else of its owners and admins; none when the topic is off. */
  readonly addresses: readonly string[];
}

interface MerchantRow extends Omit<MerchantToTell, 'addresses'> {
  readonly notify: unknown;
  readonly managers: readonly string[];
}

/** @returns whom to write to about a topic; undefined when there is no such merchant. */
export async function findMerchantToTell(db: Queryable, merchantId: string, topic: Topic): Promise<MerchantToTell | undefined> {
  const [merchant] = await db.query<MerchantRow>(
    {
      text: `SELECT m.slug, m.name, m.language, m.notify,
               ARRAY(SELECT u.email FROM membership s JOIN "user" u ON u.id = s.user_id
                     WHERE s.merchant_id = m.id AND s.role IN ('owner', 'admin') ORDER BY s.created_at) AS managers
             FROM merchant m WHERE m.id = $1`,
    },
    [merchantId],
  );
  if (!merchant) return undefined;
  const { notify, managers, ...rest } = merchant;
  const { on, addresses } = readNotify(notify)[topic];
  if (!on) return { ...rest, addresses: [] };
  return { ...rest, addresses: addresses.length > 0 ? addresses : managers };
}
