import type { Queryable } from '@/lib/db/database';
import type { Locale } from '@/lib/i18n/translator';
import type { Topic } from './notify-rules';

export interface MerchantToTell {
  readonly slug: string;
  readonly name: string;
  /** Null: nobody has chosen one. */
  readonly language: Locale | null;
  /** E-mail addresses of whoever is to be told: those chosen, else of its owners and admins. */
  readonly addresses: readonly string[];
}

/** @returns whom to write to about a topic; undefined when there is no such merchant. */
export async function findMerchantToTell(db: Queryable, merchantId: string, topic: Topic): Promise<MerchantToTell | undefined> {
  const [merchant] = await db.query<MerchantToTell>(
    {
      text: `SELECT m.slug, m.name, m.language, CASE WHEN jsonb_array_length(coalesce(m.notify -> $2, '[]')) > 0
               THEN ARRAY(SELECT jsonb_array_elements_text(m.notify -> $2))
               ELSE ARRAY(SELECT u.email FROM membership s JOIN "user" u ON u.id = s.user_id
                          WHERE s.merchant_id = m.id AND s.role IN ('owner', 'admin') ORDER BY s.created_at)
             END AS addresses FROM merchant m WHERE m.id = $1`,
    },
    [merchantId, topic],
  );
  return merchant;
}
