'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from '@/components/ui/icon';
import { isMuted, playSound, prepareSound, setMuted } from './sounds';

/** Turns the sounds on and off. The device remembers the choice. */
export function SoundButton() {
  const t = useTranslations('Counter');
  const [on, setOn] = useState(true);
  useEffect(() => setOn(!isMuted()), []);
  const toggle = () => {
    setMuted(on);
    setOn(!on);
    if (on) return;
    prepareSound();
    playSound('paid');
  };
  return (
    <button
      type="button"
      onClick={toggle}
      aria-pressed={on}
      aria-label={t('sound')}
      className="grid size-11 cursor-pointer place-items-center rounded-lg text-brand"
    >
      <Icon name={on ? 'sound' : 'silent'} className="size-6" />
    </button>
  );
}
