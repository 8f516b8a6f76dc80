import type { ReactNode } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';

interface LogFilterProps {
  readonly path: string;
  readonly query: object;
  readonly t: (key: 'filter' | 'apply' | 'clear') => string;
  readonly children: ReactNode;
}

/** The filter of a log, open while it is in use. It is a GET form, so its address can be saved and shared. */
export function LogFilter({ path, query, t, children }: LogFilterProps) {
  const used = Object.values(query).some((value) => value !== '');
  return (
    <details open={used} className="group rounded-xl border border-line bg-surface px-4">
      <summary className="flex min-h-control cursor-pointer list-none items-center gap-2 font-semibold text-brand">
        <Icon name="filter" /> {t('filter')}
        <Icon name="down" className="ml-auto size-4 group-open:rotate-180" />
      </summary>
      <form action={path} className="grid gap-4 pb-4">
        {children}
        <div className="flex flex-wrap gap-3">
          <Button>{t('apply')}</Button>
          {used && (
            <a href={path} className={buttonClass('plain')}>
              {t('clear')}
            </a>
          )}
        </div>
      </form>
    </details>
  );
}
