import { useSyncExternalStore } from 'react';

const NO_CHANGES = () => () => undefined;

/** Returns false on the server and until React runs in the browser, so that what needs JavaScript is not shown without it. */
export function useScripted(): boolean {
  return useSyncExternalStore(
    NO_CHANGES,
    () => true,
    () => false,
  );
}
