import { z } from 'zod';
import { isMailAddress } from '@/lib/core/mailbox';
import { isEmail } from './rules';

/** Topics of notices by e-mail. */
export const TOPICS = ['summary', 'money', 'webhooks', 'keys', 'security'] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * Whether notices of a topic are sent, and to whom. This is a type alias because an interface is not assignable to Prisma's JSON
 * types.
 */
export type Telling = {
  readonly on: boolean;
  /** If empty, owners and admins get the notices. Stored also while the topic is off. */
  readonly addresses: readonly string[];
};

export type Notify = Readonly<Record<Topic, Telling>>;

export const ADDRESSES_MAX = 10;

const addresses = z.array(z.string());
/** The first release stored only addresses. `on` is the default for merchants that have chosen nothing. */
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

/** Reads the notice settings from the database. By default, owners and admins get the notices of all topics except the summary. */
export function readNotify(stored: unknown): Notify {
  return schema.parse(typeof stored === 'object' && stored !== null ? stored : {});
}

/**
 * Parses e-mail addresses that are separated by line breaks, commas or spaces. Returns them without duplicates, and the first
 * invalid one, if any. The rules are those of sign-up.
 */
export function parseAddresses(text: string): { readonly addresses: readonly string[]; readonly wrong: string | null } {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
  return { addresses, wrong: addresses.find((address) => !isEmail(address) || !isMailAddress(address)) ?? null };
}
