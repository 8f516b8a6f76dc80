import { Badge } from '@/components/ui/badge';
import { Button, buttonClass } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { Money } from '@/components/ui/money';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import { SampleBills } from './sample-bills';
import { BADGES, BILLS, COLOURS, NETWORKS, SIZES, TEXTS } from './samples';

/** Shows every part of the design system on one page. New pages are made of these parts. */
export function DesignSystem({ now }: { readonly now: Date }) {
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
        <Money amount={123_450_000n} size="figure" />
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
        <EmptyState title={TEXTS.emptyTitle} text={TEXTS.emptyText}>
          <Button>{TEXTS.primary}</Button>
        </EmptyState>
      </Card>
    </main>
  );
}
