import { Icon, type IconName } from './icon';

type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'quiet';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'border-good bg-good-soft text-good-ink',
  // Something happens now, and nobody needs to act.
  busy: 'border-busy bg-busy-soft text-busy-ink',
  wait: 'border-amber bg-amber-soft text-amber-ink',
  bad: 'border-danger bg-danger-soft text-danger',
  quiet: 'border-edge bg-surface text-muted',
};

/** The colour and icon of a status. */
export interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

/** A status as an icon, a word and a colour. */
export function Badge({ tone, icon, text }: Look & { readonly text: string }) {
  return (
    <span
      // Another text is another element: a browser that translates the page replaces the text nodes, so React cannot change them.
      key={text}
      className={`inline-flex max-w-full min-w-0 items-center gap-1 rounded-full border px-2 py-px text-small font-semibold md:whitespace-nowrap ${TONES[tone]}`}
    >
      <Icon name={icon} className="size-3.5" />
      <span className="min-w-0 md:truncate">{text}</span>
    </span>
  );
}

const CIRCLES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good-ink',
  busy: 'bg-busy-soft text-busy-ink',
  wait: 'bg-amber-soft text-amber-ink',
  bad: 'bg-danger-soft text-danger',
  quiet: 'bg-sunken text-muted',
};

/** What a row of a list is about, as an icon in a circle. */
export function LineIcon({ tone, icon }: Look) {
  return (
    <span className={`mr-3 grid size-8 place-items-center rounded-full md:mr-0 ${CIRCLES[tone]}`}>
      <Icon name={icon} className="size-4" />
    </span>
  );
}
