/** Icons on a grid of 16 units, in the colour of the text. They accompany a word, so that no status depends on colour alone. */
const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 5v3.2l2.2 1.4',
  half: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 2.2v11.6M10 3v10M12 4.2v7.6',
  circle: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2z',
  question: 'M5.4 6a2.6 2.6 0 115.2 0c0 1.8-2.6 2-2.6 4M8 12.8v.2',
  retry: 'M13 8a5 5 0 11-1.6-3.7M13 2.6v2.6h-2.6',
  flask: 'M6 2.5h4M7 2.5v4L3.2 13h9.6L9 6.5v-4M5 10h6',
  cash: 'M1.8 4.5h12.4v7H1.8zM8 6.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6zM4 8h.1M12 8h.1',
  coin: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 5v6M6.4 6.6c0-1.4 3.2-1.4 3.2 0S6.4 8 6.4 9.4s3.2 1.4 3.2 0',
  phone: 'M5 1.8h6v12.4H5zM7.4 12h1.2',
  send: 'M2.5 8L13.5 3l-3 10.5L7.6 9.4zM7.6 9.4l5.9-6.4',
  document: 'M4 1.8h5.4L12 4.4v9.8H4zM6 7h4M6 10h4',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  dots: 'M3 7.7v.6h.6v-.6zM7.7 7.7v.6h.6v-.6zM12.4 7.7v.6h.6v-.6z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.4 10.4l3.1 3.1',
  gauge: 'M2.5 11.5a5.8 5.8 0 1111 0M8 10.5l2.6-3.4',
  key: 'M5.4 7.6a2.9 2.9 0 105.8 0 2.9 2.9 0 00-5.8 0zM6.2 9.6l-3.7 3.7M3.8 12l1.4 1.4',
  people:
    'M6 7.5a2.3 2.3 0 100-4.6 2.3 2.3 0 000 4.6zM1.8 13c.3-2.6 2-4 4.2-4s3.9 1.4 4.2 4M10.6 3.2a2.2 2.2 0 010 4.2M11.8 9.4c1.4.6 2.2 1.8 2.4 3.6',
  person: 'M8 7.8a2.7 2.7 0 100-5.4 2.7 2.7 0 000 5.4zM3 13.8c.4-2.9 2.4-4.4 5-4.4s4.6 1.5 5 4.4',
  sliders: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  plus: 'M8 3v10M3 8h10',
  rise: 'M8 13V3.4M4 7.2l4-4 4 4',
  fall: 'M8 3v9.6M4 8.8l4 4 4-4',
  warning: 'M8 2.5l6 11H2zM8 6.5v3M8 11.4v.2',
  alert: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 5v3.4M8 10.9v.1',
  share:
    'M11 5.4a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8zM4.5 9.9a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8zM11 14.4a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8zM6.2 7.1l3.2-2M6.2 8.9l3.2 2',
  download: 'M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.5 13.5h11',
  upload: 'M8 10.5V3M4.8 6L8 2.8 11.2 6M2.5 13.5h11',
  eye: 'M1.5 8s2.4-4.5 6.5-4.5S14.5 8 14.5 8 12.1 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z',
  lock: 'M4 7h8v6.5H4zM5.5 7V5a2.5 2.5 0 015 0v2',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  filter: 'M2.5 3.5h11L9.5 8.4v4.1l-3-1.6V8.4z',
  hourglass: 'M4 2h8M4 14h8M4.8 2v2.4L8 8l3.2-3.6V2M4.8 14v-2.4L8 8l3.2 3.6V14',
  ban: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM4 4l8 8',
  back: 'M6.5 3.5L3 7l3.5 3.5M3 7h6a4 4 0 010 8H7',
  bell: 'M8 2a4 4 0 00-4 4c0 4-1.5 5.2-1.5 5.2h11S12 10 12 6a4 4 0 00-4-4zM6.6 13.4a1.5 1.5 0 002.8 0',
  sound: 'M2.5 6.2v3.6h2.4L8.5 13V3L4.9 6.2zM11 5.6a3.4 3.4 0 010 4.8M12.8 3.8a6 6 0 010 8.4',
  silent: 'M2.5 6.2v3.6h2.4L8.5 13V3L4.9 6.2zM11 6.2l3.5 3.6M14.5 6.2L11 9.8',
  print: 'M4.5 6V2h7v4M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7V14h-7z',
  copy: 'M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z',
  calendar: 'M2.5 3.8h11v9.7h-11zM2.5 6.8h11M5.5 2v3M10.5 2v3',
  offline: 'M2 2l12 12M4.5 8.5a5 5 0 012-1.2M9.5 7.3a5 5 0 012 1.2M2.3 6.2A8 8 0 014.8 4.6M8 3.7a8 8 0 015.7 2.5M8 12.2v.1',
  qr: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v1M9.5 13.5h1.5M13.5 12.5v1h-1',
  keypad: 'M4 3.5h.1M8 3.5h.1M12 3.5h.1M4 7h.1M8 7h.1M12 7h.1M4 10.5h.1M8 10.5h.1M12 10.5h.1M8 14h.1',
  help: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM6.3 6.5a1.7 1.7 0 113.2.8c-.5.6-1.5.9-1.5 2M8 11.3v.1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = 'size-4' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      // The size without styles, in browsers that do not know them or while they load. Otherwise an icon would fill the screen.
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo and name of the product. With `short`, narrow screens show only the logo. */
export function Wordmark({ short = false }: { readonly short?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 text-xl font-extrabold tracking-tight text-brand">
      <svg viewBox="0 0 20 24" width="20" height="24" className="h-6 w-5" aria-hidden="true">
        <path d="M1 1h18v22l-3-2.2-3 2.2-3-2.2-3 2.2-3-2.2-3 2.2z" fill="currentColor" />
        <path d="M5 7.5h10M5 12h6" className="stroke-surface" strokeWidth="2.2" strokeLinecap="round" />
      </svg>
      <span className={short ? 'sr-only sm:not-sr-only' : ''}>Bili</span>
    </span>
  );
}
