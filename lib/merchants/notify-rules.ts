import { z } from 'zod';
import { isMailAddress } from '@/lib/core/mailbox';
import { isEmail } from './rules';

/** What a merchant is told of by e-mail. */
export const TOPICS = ['summary', 'money', 'webhooks', 'keys', 'security'] as const;
export type Topic = (typeof TOPICS)[number];

/** Who is told of a topic. A type alias, which counts as JSON. */
export type Telling = {
  readonly on: boolean;
  /** None: its owners and admins. Kept while it is off. */
  readonly addresses: readonly string[];
};

export type Notify = Readonly<Record<Topic, Telling>>;

export const ADDRESSES_MAX = 10;

const addresses = z.array(z.string());
/** The first release had addresses alone. @param on whether somebody is told who has chosen nothing. */
const telling = (on: boolean) =>
  z.union([addresses.transform((chosen) => ({ on: true, addresses: chosen })), z.object({ on: z.boolean(), addresses })]).catch({
    on,
    addresses: [],
  });
const schema = z.object({
  summary: telling(false),
  money: telling(true),
  webhooks: telling(true),
  keys: telling(true),
  security: telling(true),
});

/** @param stored what the database has: of topics that it does not name owners and admins are told, but for the summary. */
export function readNotify(stored: unknown): Notify {
  return schema.parse(typeof stored === 'object' && stored !== null ? stored : {});
}

/** @param text addresses, apart by lines, commas or spaces. @returns them, each once; or the first that sign-up would not take either. */
export function parseAddresses(text: string): { readonly addresses: readonly string[]; readonly wrong: string | null } {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
  return { addresses, wrong: addresses.find((address) => !isEmail(address) || !isMailAddress(address)) ?? null };
}
