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
