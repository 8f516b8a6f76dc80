'use client';

import { type MouseEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import { ButtonLink } from '@/components/ui/links';
import { AlertItem } from './alert-item';
import type { BellUpdate } from './bell';
import { PushSwitch } from './push-switch';

interface BellPanelProps {
  readonly page: string;
  /** Undefined until the data route has answered for the first time. */
  readonly update: BellUpdate | undefined;
  readonly sound: boolean;
  readonly onSound: (on: boolean) => void;
  /** Called after everything was marked as read. */
  readonly onRead: () => void;
  /** Called when a link was clicked. */
  readonly onLeave: () => void;
}

/** The content of the bell's panel: the newest notifications, and the settings of this device. */
export function BellPanel({ page, update, sound, onSound, onRead, onLeave }: BellPanelProps) {
  const t = useTranslations('Bell');
  const [failed, setFailed] = useState(false);
  const { items = [], newest = null, unread = 0 } = update ?? {};

  async function markRead(until: string): Promise<void> {
    try {
      const answer = await fetch(`${page}/data`, { method: 'POST', body: new URLSearchParams({ until }) });
      setFailed(!answer.ok);
      if (answer.ok) onRead();
    } catch {
      setFailed(true);
    }
  }

  const leave = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a[href]')) onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only notices clicks on the links inside, also those of the keyboard.
    <div className="grid gap-2" onClick={leave}>
      <div className="flex min-h-control items-center justify-between gap-3 px-2">
        <h2 className="text-heading">{t('title')}</h2>
        {newest !== null && unread > 0 && (
          <button
            type="button"
            onClick={() => markRead(newest)}
            className="min-h-control cursor-pointer px-1 text-small font-semibold text-brand underline underline-offset-2"
          >
            {t('markRead')}
          </button>
        )}
      </div>
      {failed && (
        <p role="alert" className="px-2 text-small font-semibold text-danger">
          {t('failed')}
        </p>
      )}
      {items.length === 0 ? (
        <p className="px-2 py-4 text-muted">{t('empty')}</p>
      ) : (
        <ul className="grid gap-0.5">
          {items.map((row) => (
            <AlertItem key={row.id} row={row} newText={t('new')} />
          ))}
        </ul>
      )}
      <ButtonLink href={page}>{t('all')}</ButtonLink>
      <div className="border-t border-line px-2 pt-1">
        <Checkbox
          id="bell-sound"
          label={t('sound')}
          hint={t('soundHint')}
          checked={sound}
          onChange={(event) => onSound(event.target.checked)}
        />
        <PushSwitch page={page} />
      </div>
    </div>
  );
}
