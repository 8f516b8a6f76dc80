import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { ENVIRONMENTS, type Environment } from '@/lib/core/scope';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Section } from './section-nav';

interface EnvironmentBarProps {
  readonly slug: string;
  readonly environment: Environment;
  readonly section: Section;
  readonly locale: Locale;
}

// The sandbox has a striped border, so that it can be recognized without colours.
const GROUNDS = {
  live: 'bg-brand text-on-brand',
  sandbox: 'bg-amber-soft text-ink border-y-2 border-dashed border-amber',
} as const;

/** Shows the current environment, with a link to the same page of the other. */
export function EnvironmentBar({ slug, environment, section, locale }: EnvironmentBarProps) {
  const t = translator(locale, 'Dashboard');
  return (
    <div className={GROUNDS[environment]}>
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-1.5 lg:px-6">
        <p className="flex items-center gap-2 text-sm">
          <Icon name={environment === 'live' ? 'coin' : 'flask'} className="size-5" />
          <span>
            <strong className="tracking-wide uppercase">{t(environment)}</strong>
            <span className="sr-only sm:not-sr-only">
              {' · '}
              {t(`${environment}Note`)}
            </span>
          </span>
        </p>
        <nav aria-label={t('environment')} className="flex rounded-lg border border-current text-sm font-semibold">
          {ENVIRONMENTS.map((other) => (
            <Link
              key={other}
              href={dashboardPath({ slug, environment: other, page: section })}
              prefetch={false}
              aria-current={other === environment ? 'true' : undefined}
              className="flex items-center gap-1 px-3 py-1.5 aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-4"
            >
              {other === environment && <Icon name="check" />}
              {t(other)}
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}
