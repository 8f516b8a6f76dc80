import type { KeyView } from '@/lib/identity/keys/key-view';
import { isNetwork, isOperatedNetwork, OPERATED_NETWORKS, WALLETS } from '@/lib/platform/core/network';
import type { ProfileStatus } from '@/lib/platform/core/profile-status';
import { formatInstant, formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { NetworkFigures } from './figures';

/** A larger number is shown as "more than 1,000". So the queries stop counting at 1,001. */
export const COUNTED = 1_000;
/** An attention item names at most this many bills. It only counts the others. */
export const NAMED = 5;

/** A bill that an attention item names. */
interface NamedBill {
  readonly id: string;
  readonly reference: string;
}

/** Open cases of one kind: how many, the time of the oldest case, and the bills of the oldest cases. */
export interface Backlog {
  readonly count: number;
  readonly since: Date | null;
  readonly bills: readonly NamedBill[];
}

/** The state of the webhook endpoint, for the attention items about endpoints. */
export interface EndpointFacts {
  readonly url: string | null;
  readonly status: 'active' | 'paused' | 'disabled';
  /** `gone` or `failing`; null if the endpoint is not disabled. */
  readonly disabledReason: string | null;
  readonly statusSince: Date;
  readonly failingSince: Date | null;
  /** The number of waiting deliveries, at most COUNTED + 1; 0 while the endpoint is healthy. */
  readonly waiting: number;
}

/** How the attempts of a network ended since an instant. */
export interface NetworkRecent {
  readonly network: string;
  readonly ended: number;
  readonly unavailable: number;
  readonly since: Date;
}

/** The data that the attention rules check. */
export interface AttentionFacts {
  readonly status: ProfileStatus;
  readonly releasable: Backlog;
  readonly reviews: Backlog;
  readonly unmatched: Backlog & { readonly amount: bigint };
  readonly overpaid: Backlog & { readonly amount: bigint };
  /** Refunds that wait for approval, or for a person who returns the money. */
  readonly refunds: Backlog;
  readonly endpoint: EndpointFacts | undefined;
  readonly exhausted: Backlog;
  /** Keys that expire soon and have no successor, in the order of their expiry. */
  readonly keys: readonly Pick<KeyView, 'label' | 'expiresAt'>[];
  /** How each network's attempts ended: `recent` in the last minutes, `usual` in the last weeks. */
  readonly recent: readonly NetworkRecent[];
  readonly usual: readonly NetworkFigures[];
  /** The networks that at least one provider account serves now. `down`: every account that serves the network is suspended. */
  readonly served: readonly { readonly network: string; readonly down: boolean }[];
  /** Attempts that failed today because the number had received too many prompts. */
  readonly limitedToday: number;
}

/** What a rule found. Properties that do not apply to the rule are left out. */
interface Found {
  readonly count: number;
  readonly since?: Date | null;
  /** `bills`: the bills concerned, at most NAMED of them. `names`: the networks or keys concerned. */
  readonly bills?: readonly NamedBill[];
  readonly names?: readonly string[];
  /** The networks that work; only in an item about networks with problems. */
  readonly working?: readonly string[];
  /** The money that the item is about, in senti. */
  readonly amount?: bigint;
}

interface Rule {
  readonly kind: string;
  /** `bad`: money or webhooks do not get through. `wait`: both get through, but somebody should look at the item. */
  readonly severity: 'bad' | 'wait';
  /** The page of the dashboard where the merchant can fix the problem; null if the merchant cannot fix it. */
  readonly page: 'bills' | 'refunds' | 'webhooks' | 'keys' | null;
  readonly find: (facts: AttentionFacts) => Found | null;
}

/** A network counts as failing from this number of recent failures on. Fewer failures may be coincidence. */
const FAILING_LEAST = 3;
const FAILING_SHARE = 0.25;
/** A network counts as failing only if its recent failure rate is at least this many times its usual rate. */
const FAILING_TIMES = 3;

/** All rules in the order in which their items are shown. What prevents payments comes first. */
const RULES = [
  { kind: 'merchant_closed', severity: 'bad', page: null, find: ({ status }) => foundIf(status === 'closed') },
  { kind: 'merchant_suspended', severity: 'bad', page: null, find: ({ status }) => foundIf(status === 'suspended') },
  { kind: 'network_unserved', severity: 'bad', page: null, find: unservedNetworks },
  { kind: 'network_down', severity: 'bad', page: null, find: downNetworks },
  { kind: 'network_failing', severity: 'bad', page: 'bills', find: failingNetworks },
  { kind: 'endpoint_gone', severity: 'bad', page: 'webhooks', find: ({ endpoint }) => disabled(endpoint, 'gone') },
  { kind: 'endpoint_disabled', severity: 'bad', page: 'webhooks', find: ({ endpoint }) => disabled(endpoint, 'failing') },
  { kind: 'endpoint_failing', severity: 'bad', page: 'webhooks', find: failingEndpoint },
  { kind: 'payments_unknown', severity: 'bad', page: 'bills', find: ({ releasable }) => foundBacklog(releasable) },
  { kind: 'money_unmatched', severity: 'wait', page: 'refunds', find: ({ unmatched }) => foundBacklog(unmatched) },
  { kind: 'bills_overpaid', severity: 'wait', page: 'bills', find: ({ overpaid }) => foundBacklog(overpaid) },
  { kind: 'refunds_waiting', severity: 'wait', page: 'refunds', find: ({ refunds }) => foundBacklog(refunds) },
  { kind: 'reviews_open', severity: 'wait', page: 'bills', find: ({ reviews }) => foundBacklog(reviews) },
  { kind: 'deliveries_exhausted', severity: 'wait', page: 'webhooks', find: ({ exhausted }) => foundBacklog(exhausted) },
  { kind: 'endpoint_paused', severity: 'wait', page: 'webhooks', find: pausedEndpoint },
  { kind: 'keys_expiring', severity: 'wait', page: 'keys', find: expiringKeys },
  { kind: 'prompts_limited', severity: 'wait', page: 'bills', find: ({ limitedToday }) => foundIf(limitedToday > 0, limitedToday) },
  { kind: 'merchant_pending', severity: 'wait', page: null, find: ({ status }) => foundIf(status === 'pending') },
] as const satisfies readonly Rule[];

export type AttentionKind = (typeof RULES)[number]['kind'];

export interface AttentionItem extends Pick<Rule, 'severity' | 'page'>, Required<Omit<Found, 'amount'>> {
  readonly kind: AttentionKind;
  readonly amount: bigint | null;
}

/** Returns the items that need attention, the most urgent first. */
export function findAttention(facts: AttentionFacts): AttentionItem[] {
  return RULES.flatMap(({ kind, severity, page, find }) => {
    const found: Found | null = find(facts);
    if (found === null) return [];
    const { count, since = null, bills = [], names = [], working = [], amount = null } = found;
    return [{ kind, severity, page, count, since, bills, names, working, amount }];
  });
}

function foundIf(holds: boolean, count = 1): Found | null {
  return holds ? { count } : null;
}

function foundBacklog(found: Backlog & { readonly amount?: bigint }): Found | null {
  return found.count > 0 ? found : null;
}

function disabled(endpoint: EndpointFacts | undefined, reason: 'gone' | 'failing'): Found | null {
  if (endpoint?.status !== 'disabled' || endpoint.disabledReason !== reason) return null;
  return { count: endpoint.waiting, since: endpoint.statusSince };
}

function failingEndpoint({ endpoint }: AttentionFacts): Found | null {
  if (endpoint?.status !== 'active' || endpoint.failingSince === null) return null;
  return { count: endpoint.waiting, since: endpoint.failingSince };
}

function pausedEndpoint({ endpoint }: AttentionFacts): Found | null {
  return endpoint?.status === 'paused' ? { count: endpoint.waiting, since: endpoint.statusSince } : null;
}

function expiringKeys({ keys }: AttentionFacts): Found | null {
  return keys.length > 0 ? { count: keys.length, since: keys[0]?.expiresAt ?? null, names: keys.map(({ label }) => label) } : null;
}

/** Networks that customers used in the last weeks and that no provider account serves any more. */
function unservedNetworks({ usual, served }: AttentionFacts): Found | null {
  const names = usual
    .map(({ network }) => network)
    .filter((network) => isOperatedNetwork(network) && !served.some((one) => one.network === network));
  return names.length > 0 ? { count: names.length, names } : null;
}

/** Networks whose provider accounts are all suspended. */
function downNetworks({ served }: AttentionFacts): Found | null {
  const named = (down: boolean) =>
    OPERATED_NETWORKS.filter((network) => served.some((one) => one.network === network && one.down === down));
  const names = named(true);
  return names.length > 0 ? { count: names.length, names, working: named(false) } : null;
}

/** Networks that were unavailable much more often than usual, although at least one of their provider accounts is not suspended. */
function failingNetworks({ recent, usual, served }: AttentionFacts): Found | null {
  const failing = recent.filter(({ network, ended, unavailable }) => {
    const share = unavailable / ended;
    const before = usual.find((one) => one.network === network);
    const usually = before ? before.unavailable / before.ended : 0;
    const inUse = served.some((one) => one.network === network && !one.down);
    return inUse && unavailable >= FAILING_LEAST && share >= FAILING_SHARE && share >= FAILING_TIMES * usually;
  });
  if (failing.length === 0) return null;
  const since = failing.map((one) => one.since).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
  return { count: failing.reduce((sum, { unavailable }) => sum + unavailable, 0), since, names: failing.map(({ network }) => network) };
}

export function describeAttention(
  { kind, count, since, amount, names, working }: AttentionItem,
  locale: Locale,
): { readonly title: string; readonly text: string } {
  const t = translator(locale, 'Overview');
  const shown = count > COUNTED ? t('more', { count: countText(COUNTED) }) : countText(count);
  // The amount of overpaid bills is the sum of only the bills that were counted.
  const partly = kind === 'bills_overpaid' && count > COUNTED;
  const wallets = (networks: readonly string[]) => networks.map((network) => networkText(network, locale)).join(', ');
  const values = {
    count,
    shown,
    names: kind === 'keys_expiring' ? names.join(', ') : wallets(names),
    working: working.length,
    others: wallets(working),
    amount: amount === null ? '' : partly ? t('more', { count: formatMoney(amount) }) : formatMoney(amount),
    time: since === null ? '' : formatInstant(since, locale),
    waiting: t('waiting', { count, shown }),
  };
  const text = t(`${kind}_text`, values);
  return {
    title: t(`${kind}_title`, values),
    text: since === null || kind === 'keys_expiring' ? text : `${text} ${t('since', { time: values.time })}`,
  };
}

/** Returns `1,234`. */
export function countText(count: number): string {
  return groupDigits(BigInt(count));
}

/** Returns the name of a network's wallet, because customers know a network by that name. */
export function networkText(network: string, locale: Locale): string {
  return isNetwork(network) && network !== 'other' ? WALLETS[network] : translator(locale, 'Overview')('otherNetwork');
}
