// Shows notifications on devices where a member switched them on. It controls no page and caches nothing: its scope is /push/.
// A push has no content. This worker asks Bili for the news, with the session of this browser.

const NEWS = '/push/news';
const UNKNOWN = { title: 'Bili', body: 'Kuna taarifa mpya · You have a new notification', url: '/' };

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(show()));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function show() {
  const { title, body, url } = await news();
  await self.registration.showNotification(title, { body, tag: 'bili', renotify: true, data: url });
}

/** Browsers require that every push shows something, so without a session it says only that there is something. */
async function news() {
  try {
    const device = await self.registration.pushManager.getSubscription();
    const body = new URLSearchParams({ endpoint: device?.endpoint ?? '' });
    const answer = await fetch(NEWS, { method: 'POST', body });
    return answer.ok ? await answer.json() : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** Opens the page of the event in a tab that shows it already, or in a new one. */
async function open(url) {
  const address = new URL(url, self.location.origin).href;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === address);
  return shown ? shown.focus() : self.clients.openWindow(address);
}
