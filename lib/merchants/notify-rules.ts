import { z } from 'zod';
import { isMailAddress } from '@/lib/core/mailbox';

/** What a merchant is told of by e-mail. */
export const TOPICS = ['webhooks'] as const;
export type Topic = (typeof TOPICS)[number];

/** The addresses for each topic; none: its owners and admins. */
export type Notify = Readonly<Record<Topic, readonly string[]>>;

export const ADDRESSES_MAX = 10;

const schema = z.object({ webhooks: z.array(z.string()).catch([]) }).catch({ webhooks: [] });

/** @param stored what the database has: topics that it does not name have no addresses. */
export function readNotify(stored: unknown): Notify {
  return schema.parse(stored);
}

/** @param text addresses, apart by lines, commas or spaces. @returns them, each once; or the first that no mail can be written to. */
export function parseAddresses(text: string): { readonly addresses: readonly string[]; readonly wrong: string | null } {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
  return { addresses, wrong: addresses.find((address) => !isMailAddress(address)) ?? null };
}
