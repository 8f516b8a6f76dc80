import { useEffect } from 'react';
import type { KeepShell } from './counter-worker';

/** Lets the service worker store the page on the device, so that the page opens without a connection. Needs https, or localhost. */
export function useShell(path: string, member: string): void {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const keep = async () => {
      await navigator.serviceWorker.register(`${path}/worker`, { scope: path });
      const { active } = await navigator.serviceWorker.ready;
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const scripts = Array.from(document.scripts, ({ src }) => src);
      const styles = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'), ({ href }) => href);
      const message: KeepShell = {
        kind: 'keep',
        member,
        shell: `${path}?shell`,
        files: [...loaded, ...scripts, ...styles].filter((file) => file !== ''),
      };
      active?.postMessage(message);
    };
    // Without a service worker the counter works too, but does not open without a connection.
    keep().catch(() => undefined);
  }, [path, member]);
}
