import { addDays, startOf } from '@/lib/backoffice/overview/periods';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Environment } from '@/lib/platform/core/scope';
import { type FindItems, findKeys, findMoney, findSecurity, findSummary, SUMMARY_AFTER_MS } from './find-items';

interface NoticeTopic {
  readonly environments: readonly Environment[];
  /** When the topic is checked again. All items that appear until then are in one mail. */
  readonly nextCheck: (now: Date) => Date;
  /** The shortest time between two mails, in milliseconds. */
  readonly gapMs: number;
  readonly find: FindItems;
}

const every = (ms: number) => (now: Date) => addMs(now, ms);

/**
 * The topics that are checked periodically. `gapMs` limits how many mails Bili sends for one merchant. This limit is necessary, because
 * the addresses are not verified. Failing webhooks are not a topic here: the code that sends webhooks notifies about them.
 */
export const NOTICE_TOPICS = {
  summary: { environments: ['live'], nextCheck: nextMorning, gapMs: 0, find: findSummary },
  money: { environments: ['live', 'sandbox'], nextCheck: every(15 * MINUTE_MS), gapMs: DAY_MS, find: findMoney },
  keys: { environments: ['live', 'sandbox'], nextCheck: every(15 * MINUTE_MS), gapMs: 6 * HOUR_MS, find: findKeys },
  security: { environments: ['live'], nextCheck: every(10 * MINUTE_MS), gapMs: HOUR_MS, find: findSecurity },
} as const satisfies Readonly<Record<string, NoticeTopic>>;

export type NoticeTopicName = keyof typeof NOTICE_TOPICS;

export function isNoticeTopic(name: string): name is NoticeTopicName {
  return Object.hasOwn(NOTICE_TOPICS, name);
}

export const NOTICE_KINDS = Object.keys(NOTICE_TOPICS)
  .filter(isNoticeTopic)
  .flatMap((topic) => NOTICE_TOPICS[topic].environments.map((environment) => ({ topic, environment })));

/** Pure. Returns when the next summary is due. */
function nextMorning(now: Date): Date {
  const morning = addMs(startOf(eastAfricanDay(now)), SUMMARY_AFTER_MS);
  return now < morning ? morning : addMs(startOf(addDays(eastAfricanDay(now), 1)), SUMMARY_AFTER_MS);
}
