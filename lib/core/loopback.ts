const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @returns whether an address is on this machine: nobody else reaches it, and nothing to it crosses a network. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return LOOPBACK.test(hostname);
}
