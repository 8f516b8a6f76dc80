/** Behind each drawing, so that all of them have the same weight on the page. */
const GROUND = 'M12 56C8 30 30 10 58 12c20 1 26 8 42 14s26 22 20 40-30 24-54 23S16 82 12 56z';

/**
 * The drawings, on a grid of 128 × 96 units: the areas with a soft colour, and the lines. Their common subject is the paper bill of the
 * product's mark.
 */
const DRAWINGS = {
  /** A phone with a payment page, and a coin on its way. */
  phone: {
    soft: 'M48 66h32v10H48zM104 26a9 9 0 1 0 .1 0z',
    lines:
      'M46 10h36a7 7 0 0 1 7 7v62a7 7 0 0 1-7 7H46a7 7 0 0 1-7-7V17a7 7 0 0 1 7-7zM60 17h8M48 30h16M48 38h24M48 56v-8h32v8zM48 66h32v10H48zM104 26a9 9 0 1 0 .1 0zM101 35h6M104 32v6M30 40a16 16 0 0 0 0 18M23 34a26 26 0 0 0 0 30',
  },
  /** An open tray from which a bill looks out: nothing is here yet. */
  empty: {
    soft: 'M28 54h22c3 0 3 3 4 5 4 7 16 7 20 0 1-2 1-5 4-5h22v24a5 5 0 0 1-5 5H33a5 5 0 0 1-5-5z',
    lines:
      'M28 54h22c3 0 3 3 4 5 4 7 16 7 20 0 1-2 1-5 4-5h22v24a5 5 0 0 1-5 5H33a5 5 0 0 1-5-5zM28 54l9-18h7M100 54l-9-18h-7M48 46V14l5.3 3.5L58.6 14l5.4 3.500L69.4 14l5.3 3.500L80 14v32M56 27h16M56 35h9M106 18v8M102 22h8M20 30v6M17 33h6',
  },
  /** A bill that is torn in two. */
  error: {
    soft: 'M49 57l8-6 7 6 8-8 8 6 7-4v34l-6.3-4-6.4 4-6.3-4-6.3 4-6.4-4-6.3 4z',
    lines:
      'M41 12h38v25l-7 4-8-6-8 8-7-6-8 6zM49 57l8-6 7 6 8-8 8 6 7-4v34l-6.3-4-6.4 4-6.3-4-6.3 4-6.4-4-6.3 4zM49 22h17M49 29h9M58 67h19M58 74h11M104 26l-6 9h8l-6 9M25 42l6 3M23 53h7M27 64l5-3',
  },
  /** A magnifying glass over a bill. */
  notFound: {
    soft: 'M84 36a19 19 0 1 0 .1 0z',
    lines:
      'M66 80l-5.3-3.500L55.3 80 50 76.5 44.7 80l-5.4-3.500L34 80V12h46v16M43 24h26M43 33h14M43 42h11M84 36a19 19 0 1 0 .1 0zM97.5 68.5 110 81M79 51a5 5 0 1 1 7.5 4.300c-1.7 1-2.5 2-2.5 3.700M84 64h.01',
  },
  /** A shop that opens. */
  activation: {
    soft: 'M36 22h56l8 16a6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0z',
    lines:
      'M36 22h56l8 16a6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0 6 6 0 0 1-12 0zM35 46v38h58V46M45 84V56h16v28M71 56h12v13H71zM57 70h.01M26 84h76M64 14V8M48 14l-2-4M80 14l2-4',
  },
  /** A bill with a large check mark. */
  done: {
    soft: 'M84 44a16 16 0 1 0 .1 0z',
    lines:
      'M40 84V12h46v26M40 84l5.3-3.5 5.4 3.5 5.3-3.5 5.3 3.5 5.4-3.5 5.3 3.5 5-3.300M50 25h26M50 34h16M50 43h10M84 44a16 16 0 1 0 .1 0zM77 60l5 5 9-10M104 20l-4 5M110 36h-6M22 32l5 3M20 50h6M26 68l5-3',
  },
} as const;

export type IllustrationName = keyof typeof DRAWINGS;

/** A drawing in the colour of the text around it, for a page or a list without content of its own. The text beside it says what it means. */
export function Illustration({ name, className }: { readonly name: IllustrationName; readonly className?: string }) {
  const { soft, lines } = DRAWINGS[name];
  return (
    <svg viewBox="0 0 128 96" width="128" height="96" className={className} aria-hidden="true">
      <path d={GROUND} fill="currentColor" fillOpacity=".07" stroke="none" />
      <path d={soft} fill="currentColor" fillOpacity=".2" stroke="none" />
      <path d={lines} fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
