'use client';

import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';

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

/** Two rising notes for a paid bill, two falling notes for a declined prompt. Frequencies in Hz. */
const TUNES = { paid: [660, 990], declined: [330, 220] } as const;
const NOTE_SECONDS = 0.16;
const MUTED = 'bili-counter-muted';

let context: AudioContext | undefined;
/** The choice on this page, for browsers that forbid storage. */
let mutedHere = false;

/** Prepares the sound. Call it when the cashier taps something, because browsers allow sound only then. */
export function prepareSound(): void {
  if (!('AudioContext' in window)) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume().catch(() => undefined);
}

export function playSound(tune: keyof typeof TUNES): void {
  if (!context || isMuted()) return;
  const audio = context;
  TUNES[tune].forEach((frequency, at) => {
    const start = audio.currentTime + at * NOTE_SECONDS;
    const [oscillator, volume] = [audio.createOscillator(), audio.createGain()];
    oscillator.frequency.value = frequency;
    // Fades in and out, because a sudden start or end makes a clicking noise.
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.3, start + 0.02);
    volume.gain.linearRampToValueAtTime(0, start + NOTE_SECONDS);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + NOTE_SECONDS);
  });
}

export function isMuted(): boolean {
  try {
    return window.localStorage.getItem(MUTED) === '1';
  } catch {
    return mutedHere;
  }
}

export function setMuted(muted: boolean): void {
  mutedHere = muted;
  try {
    window.localStorage.setItem(MUTED, muted ? '1' : '0');
  } catch {
    // The browser forbids storage, so the choice lasts until the page is closed.
  }
}
