import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Badge, type Look } from '@/components/ui/badge';
import { Button, buttonClass } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/list';
import { Money } from '@/components/ui/money';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
import { formatAmount, formatMoney, formatRecent } from '@/lib/platform/i18n/format';

export const metadata: Metadata = { title: 'Design system' };

/** Shows the design system. Only developers need it, so it does not exist in production. */
export default function DesignPage() {
  if (process.env.NODE_ENV === 'production') notFound();
  return <DesignSystem now={new Date()} />;
}

/** Shows every part of the design system on one page. New pages are made of these parts. */
function DesignSystem({ now }: { readonly now: Date }) {
  return (
    <main className="mx-auto grid max-w-5xl gap-6 p-4">
      <PageHeader title={TEXTS.title} intro={TEXTS.intro} help={<Icon name="help" className="size-5 text-muted" />}>
        <Button>{TEXTS.primary}</Button>
      </PageHeader>
      <Card id="type" title={TEXTS.type}>
        {SIZES.map(({ name, use }) => (
          <p key={name} className="flex flex-wrap items-baseline gap-x-4 border-b border-line py-2">
            <span className={name}>{TEXTS.sample}</span>
            <code className="text-small text-muted">{name}</code>
            <span className="text-small text-muted">{use}</span>
          </p>
        ))}
      </Card>
      <Card id="figures" title={TEXTS.figures} look="hero">
        <Money text={formatMoney(123_450_000n)} size="figure" />
      </Card>
      <Card id="colours" title={TEXTS.colours}>
        <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {COLOURS.map(({ name, look }) => (
            <li key={name} className={`rounded-lg border p-3 text-small ${look}`}>
              {name}
            </li>
          ))}
        </ul>
        <ul className="mt-4 flex flex-wrap gap-4">
          {NETWORKS.map(({ name, fill }) => (
            <li key={name} className="flex items-center gap-2 text-small">
              <span className={`size-4 rounded-full ${fill}`} />
              {name}
            </li>
          ))}
        </ul>
      </Card>
      <Card id="states" title={TEXTS.states}>
        <p className="flex flex-wrap gap-2">
          {BADGES.map((badge) => (
            <Badge key={badge.text} {...badge} />
          ))}
        </p>
        <div className="mt-4 grid gap-2">
          {(['good', 'busy', 'wait', 'bad'] as const).map((tone) => (
            <Notice key={tone} tone={tone} title={TEXTS.noticeTitle} text={TEXTS.noticeText} />
          ))}
        </div>
      </Card>
      <Card id="controls" title={TEXTS.controls}>
        <p className="flex flex-wrap gap-2">
          <Button>{TEXTS.primary}</Button>
          <Button look="plain">{TEXTS.plain}</Button>
          <Button look="danger">{TEXTS.danger}</Button>
          <a href="#controls" className={buttonClass('plain')}>
            <Icon name="download" />
            {TEXTS.link}
          </a>
        </p>
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <Field id="field" label={TEXTS.field} hint={TEXTS.hint} />
          <Field id="wrong" label={TEXTS.field} problem={TEXTS.problem} />
          <Select id="select" label={TEXTS.select} options={[{ value: '1', text: TEXTS.option }]} />
        </div>
      </Card>
      <Card id="list" title={TEXTS.list}>
        <Nav
          look="tabs"
          label={TEXTS.list}
          items={[
            { href: '#list', text: TEXTS.all, current: true, count: '1,204' },
            { href: '#list', text: TEXTS.unpaid, current: false, count: '38' },
          ]}
        />
        <p className="my-3 flex flex-wrap gap-2">
          <Chip text={TEXTS.chip} href="#list" label={TEXTS.removeChip} />
        </p>
        <SampleBills bills={BILLS} now={now} />
      </Card>
      <Card>
        <EmptyState art="empty" title={TEXTS.emptyTitle} text={TEXTS.emptyText}>
          <Button>{TEXTS.primary}</Button>
        </EmptyState>
      </Card>
    </main>
  );
}

/** A table of bills. On a narrow screen each row is a card. */
function SampleBills({ bills, now }: { readonly bills: readonly SampleBill[]; readonly now: Date }) {
  return (
    <Table
      caption={TEXTS.list}
      columns={[TEXTS.reference, { text: TEXTS.amount, numeric: true }, TEXTS.status, { text: TEXTS.created, numeric: true }]}
    >
      {bills.map(({ reference, amount, badge, age }) => (
        <Row key={reference}>
          <Cell>
            <TextLink href="#list">{reference}</TextLink>
          </Cell>
          <Cell label={TEXTS.amount} numeric value={formatAmount(amount)} />
          <Cell label={TEXTS.status}>
            <Badge {...badge} />
          </Cell>
          <Cell label={TEXTS.created} numeric value={formatRecent(addMs(now, -age), now, 'en')} />
        </Row>
      ))}
    </Table>
  );
}

/** The texts of the page. They are not translated, because only developers see them. */
const TEXTS = {
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

const SIZES = [
  { name: 'text-figure', use: 'The most important figure of a page' },
  { name: 'text-subfigure', use: 'Other figures' },
  { name: 'text-long', use: 'Amounts of many digits' },
  { name: 'text-title', use: 'The title of a page' },
  { name: 'text-heading', use: 'The title of a card' },
  { name: 'text-base', use: 'Text' },
  { name: 'text-small', use: 'Notes, column headings, badges' },
] as const;

const COLOURS = [
  { name: 'brand', look: 'border-brand bg-brand text-on-brand' },
  { name: 'good', look: 'border-good bg-good-soft text-good-ink' },
  { name: 'busy', look: 'border-busy bg-busy-soft text-busy-ink' },
  { name: 'amber', look: 'border-amber bg-amber-soft text-amber-ink' },
  { name: 'danger', look: 'border-danger bg-danger-soft text-danger' },
  { name: 'surface', look: 'border-line bg-surface text-ink' },
  { name: 'sunken', look: 'border-line bg-sunken text-ink' },
  { name: 'muted', look: 'border-line bg-surface text-muted' },
] as const;

const NETWORKS = [
  { name: 'M-Pesa', fill: 'bg-vodacom' },
  { name: 'Mixx by Yas', fill: 'bg-yas' },
  { name: 'Airtel Money', fill: 'bg-airtel' },
  { name: 'HaloPesa', fill: 'bg-halotel' },
  { name: 'T-Pesa', fill: 'bg-ttcl' },
] as const;

const BADGES = [
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

interface SampleBill {
  readonly reference: string;
  readonly amount: Senti;
  readonly badge: (typeof BADGES)[number];
  /** Milliseconds since the creation of the bill. */
  readonly age: number;
}

/** As many rows as should fit into 800 pixels on a desktop. */
const BILLS: readonly SampleBill[] = Array.from({ length: 20 }, (_, index) => ({
  reference: `ORDER-${1_020 - index}`,
  amount: BigInt(1 + ((index * 7_919) % 97)) * 125_000n,
  badge: BADGES[index % BADGES.length] ?? BADGES[0],
  age: index * 0.2 * DAY_MS,
}));
