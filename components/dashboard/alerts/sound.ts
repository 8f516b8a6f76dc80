import { useSyncExternalStore } from 'react';

/**
 * The storage key of this device's choice. The choice is not stored on the server, because a device at a loud counter and one in a
 * quiet office may share an account.
 */
const STORED = 'bili:sound';
const CHANGED = 'bili:sound-changed';

/** Returns whether this device plays a sound for each payment. @param normally the result if the device has stored no choice. */
function isSoundOn(normally: boolean): boolean {
  try {
    const chosen = localStorage.getItem(STORED);
    return chosen === null ? normally : chosen === 'on';
  } catch {
    // The browser forbids storage, for example in a private window.
    return normally;
  }
}

function setSound(on: boolean): void {
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // The browser forbids storage, so the choice cannot be remembered.
  }
  window.dispatchEvent(new Event(CHANGED));
  if (on) playPaid();
}

function listen(changed: () => void): () => void {
  window.addEventListener(CHANGED, changed);
  window.addEventListener('storage', changed);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener('storage', changed);
  };
}

/** Returns whether the sound is on, and a function that switches the sound on or off. When it is switched on, it plays once. */
export function useSound({ normally = false } = {}): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(
    listen,
    () => isSoundOn(normally),
    () => false,
  );
  return [on, setSound];
}

/** The frequency of each note in hertz, and when the note begins, in seconds. */
const NOTES = [
  { hertz: 880, at: 0 },
  { hertz: 1318.5, at: 0.14 },
] as const;
const NOTE_SECONDS = 0.35;
const VOLUME = 0.2;

/** The storage key of the id of the payment that a tab of this browser announced last. */
const ANNOUNCED = 'bili:announced';

/** Plays the sound for a payment, unless another tab of this browser has already played it. */
export function playPaidOnce(paymentId: string): void {
  try {
    if (localStorage.getItem(ANNOUNCED) === paymentId) return;
    localStorage.setItem(ANNOUNCED, paymentId);
  } catch {
    // Without storage, every tab of this browser plays the sound.
  }
  playPaid();
}

let speaker: AudioContext | null = null;

/** Plays two short notes. Browsers stay silent until somebody has touched the page. */
function playPaid(): void {
  speaker ??= new AudioContext();
  const context = speaker;
  if (context.state === 'suspended') void context.resume();
  for (const { hertz, at } of NOTES) {
    const begin = context.currentTime + at;
    const note = context.createOscillator();
    const volume = context.createGain();
    note.type = 'sine';
    note.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + NOTE_SECONDS);
    note.connect(volume).connect(context.destination);
    note.start(begin);
    note.stop(begin + NOTE_SECONDS);
  }
}
