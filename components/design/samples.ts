import type { Look } from '@/components/ui/badge';
import { DAY_MS } from '@/lib/core/clock';
import type { Senti } from '@/lib/core/money';

/** The texts of the page. They are not translated, because only developers see them. */
export const TEXTS = {
  title: 'Design system',
  intro: 'What pages are made of. Switch the theme and the width of the window to see both themes and both densities.',
  type: 'Type',
  sample: 'TZS 1,234,500',
  figures: 'Figures',
  colours: 'Colours',
  states: 'Outcomes',
  noticeTitle: 'What happened',
  noticeText: 'What to do next.',
  controls: 'Controls',
  primary: 'Main action',
  plain: 'Other action',
  danger: 'Dangerous action',
  link: 'Download',
  field: 'Field',
  hint: 'A hint says what to enter.',
  problem: 'A problem says what is wrong and how to correct it.',
  select: 'Choice',
  option: 'Option',
  list: 'List',
  all: 'All',
  unpaid: 'Not paid',
  chip: 'M-Pesa',
  removeChip: 'Remove filter: M-Pesa',
  reference: 'Reference',
  amount: 'Amount (TZS)',
  status: 'Status',
  created: 'Created',
  emptyTitle: 'Nothing here yet',
  emptyText: 'An empty list says what will be here and how to start.',
} as const;

export const SIZES = [
  { name: 'text-figure', use: 'The most important figure of a page' },
  { name: 'text-subfigure', use: 'Other figures' },
  { name: 'text-title', use: 'The title of a page' },
  { name: 'text-heading', use: 'The title of a card' },
  { name: 'text-base', use: 'Text' },
  { name: 'text-small', use: 'Notes, column headings, badges' },
] as const;

export const COLOURS = [
  { name: 'brand', look: 'border-brand bg-brand text-on-brand' },
  { name: 'good', look: 'border-good bg-good-soft text-good-ink' },
  { name: 'busy', look: 'border-busy bg-busy-soft text-busy-ink' },
  { name: 'amber', look: 'border-amber bg-amber-soft text-amber-ink' },
  { name: 'danger', look: 'border-danger bg-danger-soft text-danger' },
  { name: 'surface', look: 'border-line bg-surface text-ink' },
  { name: 'sunken', look: 'border-line bg-sunken text-ink' },
  { name: 'muted', look: 'border-line bg-surface text-muted' },
] as const;

export const NETWORKS = [
  { name: 'M-Pesa', fill: 'bg-vodacom' },
  { name: 'Mixx by Yas', fill: 'bg-yas' },
  { name: 'Airtel Money', fill: 'bg-airtel' },
  { name: 'HaloPesa', fill: 'bg-halotel' },
  { name: 'T-Pesa', fill: 'bg-ttcl' },
] as const;

export const BADGES = [
  { tone: 'quiet', icon: 'circle', text: 'Not paid' },
  { tone: 'busy', icon: 'phone', text: 'On the phone' },
  { tone: 'wait', icon: 'question', text: 'Unknown' },
  { tone: 'wait', icon: 'half', text: 'Part' },
  { tone: 'good', icon: 'check', text: 'Paid' },
  { tone: 'wait', icon: 'warning', text: 'Overpaid' },
  { tone: 'bad', icon: 'cross', text: 'Failed' },
  { tone: 'bad', icon: 'hourglass', text: 'Expired' },
  { tone: 'quiet', icon: 'ban', text: 'Cancelled' },
  { tone: 'quiet', icon: 'lock', text: 'Closed' },
] as const satisfies readonly (Look & { readonly text: string })[];

export interface SampleBill {
  readonly reference: string;
  readonly amount: Senti;
  readonly badge: (typeof BADGES)[number];
  /** Milliseconds since the creation of the bill. */
  readonly age: number;
}

/** As many rows as should fit into 800 pixels on a desktop. */
export const BILLS: readonly SampleBill[] = Array.from({ length: 20 }, (_, index) => ({
  reference: `ORDER-${1_020 - index}`,
  amount: BigInt(1 + ((index * 7_919) % 97)) * 125_000n,
  badge: BADGES[index % BADGES.length] ?? BADGES[0],
  age: index * 0.2 * DAY_MS,
}));
