const RING = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z';

/** Icons on a grid of 24 units. Each state of the page has its own, so that no state depends on colour alone. */
export const ICON_PATHS = {
  bill: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  phone: 'M7 2h10v20H7zM11 18h2',
  clock: `${RING}M12 7v5l3 3`,
  question: `${RING}M9.5 9.5A2.5 2.5 0 1 1 13 11.8c-.7.4-1 .9-1 1.7M12 17h.01`,
  part: `${RING}M12 3v9h9`,
  check: `${RING}M8 12l3 3 5-6`,
  plus: `${RING}M12 8v8M8 12h8`,
  cross: `${RING}M9 9l6 6M15 9l-6 6`,
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6',
  lock: 'M6 11h12v10H6zM8 11V8a4 4 0 0 1 8 0v3',
  pause: `${RING}M10 9v6M14 9v6`,
  pin: 'M3 8h18v8H3zM8 12h.01M12 12h.01M16 12h.01',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  wallet: 'M3 7h18v13H3zM3 7l12-4v4M16.5 13.5h.01',
  signal: 'M4 20v-4M9 20v-8M14 20V9M19 20V4M3 3l18 18',
  back: 'M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3',
} as const;

export type IconName = keyof typeof ICON_PATHS;

/** An icon next to a heading with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
