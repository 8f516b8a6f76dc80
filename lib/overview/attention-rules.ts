import { isOperatedNetwork, OPERATED_NETWORKS } from '@/lib/core/network';
import type { AttentionFacts, Backlog, EndpointFacts, NamedBill } from './attention-facts';

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
  readonly page: 'bills' | 'webhooks' | 'keys' | null;
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
  { kind: 'money_unmatched', severity: 'wait', page: 'bills', find: ({ unmatched }) => foundBacklog(unmatched) },
  { kind: 'bills_overpaid', severity: 'wait', page: 'bills', find: ({ overpaid }) => foundBacklog(overpaid) },
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
