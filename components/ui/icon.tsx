/** The few shapes that stand beside a word, so that no status is told by colour alone. 16 units square, drawn in the text's colour. */
const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 5v3.2l2.2 1.4',
  half: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 2.2v11.6M10 3v10M12 4.2v7.6',
  circle: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2z',
  question: 'M5.4 6a2.6 2.6 0 115.2 0c0 1.8-2.6 2-2.6 4M8 12.8v.2',
  retry: 'M13 8a5 5 0 11-1.6-3.7M13 2.6v2.6h-2.6',
  flask: 'M6 2.5h4M7 2.5v4L3.2 13h9.6L9 6.5v-4M5 10h6',
  coin: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2zM8 5v6M6.4 6.6c0-1.4 3.2-1.4 3.2 0S6.4 8 6.4 9.4s3.2 1.4 3.2 0',
  phone: 'M5 1.8h6v12.4H5zM7.4 12h1.2',
  send: 'M2.5 8L13.5 3l-3 10.5L7.6 9.4zM7.6 9.4l5.9-6.4',
  document: 'M4 1.8h5.4L12 4.4v9.8H4zM6 7h4M6 10h4',
  down: 'M4 6l4 4 4-4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = 'size-4' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
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
