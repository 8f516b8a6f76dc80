import { isRecord } from '@/lib/core/is-record';

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
