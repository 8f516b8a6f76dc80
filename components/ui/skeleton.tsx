/** Holds the place of what is on its way, so that nothing jumps when it comes. */
export function Skeleton({ className = 'h-5 w-full' }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded bg-sunken ${className}`} />;
}
