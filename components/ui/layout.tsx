import type { ReactNode } from 'react';
import { Illustration, type IllustrationName } from './illustration';

/**
 * `hero` is for the most important figure of a page. Its top border is thicker, so its top padding is smaller. Its title is therefore at
 * the same height as the titles of the cards beside it.
 */
const LOOKS = {
  card: 'rounded-xl border border-line bg-surface p-4 sm:p-5',
  hero: 'rounded-xl border border-line border-t-4 border-t-brand bg-surface p-4 shadow-sm sm:p-6 sm:pt-4.25',
} as const;

interface CardProps {
  readonly id?: string;
  readonly title?: string;
  readonly look?: keyof typeof LOOKS;
  /** Shown at the right of the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A card. With a title it is a section that screen readers can jump to. */
export function Card({ id, title, look = 'card', action, children }: CardProps) {
  if (title === undefined) return <div className={LOOKS[look]}>{children}</div>;
  return (
    <section aria-labelledby={id} className={LOOKS[look]}>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="text-heading">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface PageHeaderProps {
  readonly title: string;
  readonly intro?: string;
  /**
   * A button next to the title. It opens a text that explains the page. The position of this text depends on the header, not on the button,
   * so that the text fits a narrow screen.
   */
  readonly help?: ReactNode;
  readonly children?: ReactNode;
}

/** The main heading of a page, with a short description and its actions. */
export function PageHeader({ title, intro, help, children }: PageHeaderProps) {
  return (
    <div className="relative flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
      <div className="min-w-0">
        {/*
          The row is as high as its buttons, so that the title is level with them and does not move if the browser paints it first. On a
          phone, larger buttons are in the next row.
        */}
        <div className={`flex min-h-[calc(var(--spacing-control)-0.5rem)] items-center gap-2 ${children ? 'sm:min-h-control' : ''}`}>
          <h1 title={title} className="line-clamp-3 text-title wrap-anywhere">
            {title}
          </h1>
          {help}
        </div>
        {intro && <p className="mt-1 text-muted">{intro}</p>}
      </div>
      {children}
    </div>
  );
}

interface EmptyStateProps {
  readonly art?: IllustrationName;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** Replaces an empty list by a text that says what to do. */
export function EmptyState({ art, title, text, children }: EmptyStateProps) {
  return (
    <div className="px-2 py-8 text-center">
      {art && <Illustration name={art} className="mx-auto mb-4 text-brand" />}
      <p className="text-heading">{title}</p>
      <p className="mx-auto mt-1 max-w-prose text-muted">{text}</p>
      {children && <div className="mt-4">{children}</div>}
    </div>
  );
}

/** A list of terms, each above its value: two columns on a phone, and as many as fit where there is more room. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] gap-x-4 gap-y-3 @lg:grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] @lg:gap-x-6">
        {children}
      </dl>
    </div>
  );
}

interface FactProps {
  readonly term: string;
  /** True for a value that is often long, for example an id. It takes a whole line of a phone, and two columns of a wide screen. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A term with its value. */
export function Fact({ term, wide = false, children }: FactProps) {
  return (
    <div className={wide ? 'col-span-full min-w-0 @lg:col-span-2' : 'min-w-0'}>
      <dt className="text-small text-muted">{term}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
