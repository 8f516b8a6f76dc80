import type { Queryable } from '@/lib/platform/db/database';
import { membership, merchant } from '@/lib/platform/db/generated/tables';
import { array, pick, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { isLocale, type Locale } from '@/lib/platform/i18n/locale';
import { readNotify, type Topic } from './notify-rules';

interface NoticeRecipients {
  readonly slug: string;
  readonly name: string;
  /** Null if the merchant has not chosen a language. */
  readonly language: Locale | null;
  /** The recipients: the chosen addresses, else the merchant's owners and admins. Empty if the topic is off. */
  readonly addresses: readonly string[];
}

const FIND_MERCHANT = statement({
  name: 'find a merchant to write to',
  text: `SELECT m.slug, m.name, m.language, m.notify,
           ARRAY(SELECT u.email FROM membership s JOIN "user" u ON u.id = s.user_id
                 WHERE s.merchant_id = m.id AND s.role IN ('owner', 'admin') ORDER BY s.created_at) AS managers
         FROM merchant m WHERE m.id = $merchantId`,
  parameters: { merchantId: membership.merchantId },
  columns: { ...pick(merchant, 'slug name language notify'), managers: array(text) },
});

/** Returns a merchant with the recipients of a topic's notices. Returns undefined if there is no such merchant. */
export async function findRecipients(db: Queryable, merchantId: string, topic: Topic): Promise<NoticeRecipients | undefined> {
  const merchant = await FIND_MERCHANT.first(db, { merchantId });
  if (!merchant) return undefined;
  const { slug, name, language, managers } = merchant;
  const found = { slug, name, language: language !== null && isLocale(language) ? language : null };
  const { on, addresses } = readNotify(merchant.notify)[topic];
  if (!on) return { ...found, addresses: [] };
  return { ...found, addresses: addresses.length > 0 ? addresses : managers };
}
