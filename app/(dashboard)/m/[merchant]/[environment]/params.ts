/** The props of every page of a merchant's environment. The values are unchecked: `openVisit` validates them. */
export interface PageProps {
  readonly params: Promise<{ merchant: string; environment: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Returns a query parameter that is not empty and occurs once, otherwise null. */
export function single(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
