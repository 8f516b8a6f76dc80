import { z } from 'zod';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { isEmail } from './rules';

export const TOPICS = ['summary', 'money', 'webhooks', 'keys', 'security'] as const;
export type Topic = (typeof TOPICS)[number];

/** Whether and to whom notices of a topic are sent. A type alias, because Prisma's JSON types do not accept interfaces. */
export type TopicSetting = {
  readonly on: boolean;
  /** If empty, owners and admins get the notices. The addresses are stored also while the topic is off. */
  readonly addresses: readonly string[];
};

export type Notify = Readonly<Record<Topic, TopicSetting>>;

export const ADDRESSES_MAX = 10;

const addresses = z.array(z.string());
/**
 * Returns the schema of the stored setting of a topic. An array of addresses is the format of the first release, and means that the topic
 * is on.
 * @param on whether the topic is on for merchants that have not chosen.
 */
const topicSetting = (on: boolean) =>
  z.union([addresses.transform((chosen) => ({ on: true, addresses: chosen })), z.object({ on: z.boolean(), addresses })]).catch({
    on,
    addresses: [],
  });
const schema = z.object({
  summary: topicSetting(false),
  money: topicSetting(true),
  webhooks: topicSetting(true),
  keys: topicSetting(true),
  security: topicSetting(true),
});

/** Reads the notice settings from the database. By default, owners and admins get the notices of all topics except the summary. */
export function readNotify(stored: unknown): Notify {
  return schema.parse(typeof stored === 'object' && stored !== null ? stored : {});
}

/**
 * Parses e-mail addresses that are separated by line breaks, commas or spaces. They must be valid by the same rules as at sign-up.
 * Returns each address once, and the first invalid address.
 */
export function parseAddresses(text: string): { readonly addresses: readonly string[]; readonly wrong: string | null } {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
  return { addresses, wrong: addresses.find((address) => !isEmail(address) || !isMailAddress(address)) ?? null };
}
