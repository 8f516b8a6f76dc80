import { useSyncExternalStore } from 'react';
import { isRecord } from '@/lib/platform/core/is-record';

/**
 * The storage key of this device's choice. The choice is not stored on the server, because a device at a loud counter and one in a
 * quiet office may share an account.
 */
const STORED = 'bili:sound';
const CHANGED = 'bili:sound-changed';

/** Returns whether this device plays a sound for each payment. */
function isSoundOn(): boolean {
  try {
    return localStorage.getItem(STORED) === 'on';
  } catch {
    // The browser forbids storage, for example in a private window.
    return false;
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
export function useSound(): readonly [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(listen, isSoundOn, () => false), setSound];
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

const WORKER = '/push-worker.js';
/** The scope of the service worker. No page is below this path, so the service worker controls no page. */
const SCOPE = '/push/';

const stored = (page: string) => `bili:push:${page}`;

/** Returns whether this browser can show notifications of this site. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Returns whether the member switched notifications on, on this device and for the merchant of this page. */
export function isPushOn(page: string): boolean {
  try {
    return canPush() && Notification.permission === 'granted' && localStorage.getItem(stored(page)) === 'on';
  } catch {
    // The browser forbids storage, for example in a private window.
    return false;
  }
}

/** Switches notifications on. Call it after a click, because browsers ask for permission only then. */
export async function switchPushOn(page: string): Promise<'on' | 'denied' | 'failed'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const registration = await activeRegistration();
  const answer: unknown = await (await fetch(`${page}/push`)).json();
  if (!isRecord(answer) || typeof answer.key !== 'string') return 'failed';
  const device = await subscribe(registration.pushManager, answer.key);
  if (!(await send(page, device.endpoint, 'on'))) return 'failed';
  localStorage.setItem(stored(page), 'on');
  return 'on';
}

export async function switchPushOff(page: string): Promise<'off' | 'failed'> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const device = await registration?.pushManager.getSubscription();
  // The subscription stays, because it may also serve another merchant of this member.
  if (device && !(await send(page, device.endpoint, 'off'))) return 'failed';
  localStorage.removeItem(stored(page));
  return 'off';
}

/**
 * If the member has switched notifications on, registers the device for the current session, at most once in each tab. This is necessary
 * because signing out removes the device from the server, although this browser still stores that notifications are on.
 */
export async function renewPush(page: string): Promise<void> {
  if (!isPushOn(page) || sessionStorage.getItem(stored(page)) === 'renewed') return;
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  const device = await registration?.pushManager.getSubscription();
  if (device && (await send(page, device.endpoint, 'on'))) sessionStorage.setItem(stored(page), 'renewed');
}

async function send(page: string, endpoint: string, on: 'on' | 'off'): Promise<boolean> {
  return (await fetch(`${page}/push`, { method: 'POST', body: new URLSearchParams({ endpoint, on }) })).ok;
}

/**
 * Registers the service worker and waits until it is active. `navigator.serviceWorker.ready` would never resolve, because the service
 * worker controls no page.
 */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const starting = registration.installing ?? registration.waiting;
  if (registration.active || !starting) return registration;
  return new Promise((resolve, reject) => {
    starting.addEventListener('statechange', () => {
      if (starting.state === 'activated') resolve(registration);
      if (starting.state === 'redundant') reject(new Error('the worker was not installed'));
    });
  });
}

/** Subscribes to pushes with the server's public key. Replaces a subscription for another key, for example of an earlier installation. */
async function subscribe(manager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const earlier = await manager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return manager.subscribe(options);
  }
}
