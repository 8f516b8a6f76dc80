'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import { canPush, isPushOn, switchPushOff, switchPushOn } from './push-device';

type PushState = 'on' | 'off' | 'denied' | 'failed' | 'changing';

/** Switches the browser's own notifications on for this device. Browsers that cannot show any get no switch. */
export function PushSwitch({ page }: { readonly page: string }) {
  const t = useTranslations('Bell');
  const [state, setState] = useState<PushState>(() => (isPushOn(page) ? 'on' : 'off'));
  if (!canPush()) return null;

  async function change(on: boolean): Promise<void> {
    setState('changing');
    try {
      setState(on ? await switchPushOn(page) : await switchPushOff(page));
    } catch {
      // The browser's push service or the server cannot be reached, for example in a private window or offline.
      setState('failed');
    }
  }
  const problem = state === 'denied' ? t('pushDenied') : state === 'failed' ? t('pushFailed') : null;
  return (
    <>
      <Checkbox
        id="bell-push"
        label={t('push')}
        hint={t('pushHint')}
        checked={state === 'on' || (state === 'failed' && isPushOn(page))}
        disabled={state === 'changing'}
        onChange={(event) => change(event.target.checked)}
      />
      {problem !== null && (
        <p role="alert" className="mt-1 ml-8 text-small font-semibold text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
