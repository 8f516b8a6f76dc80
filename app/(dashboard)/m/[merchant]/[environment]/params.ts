/** What the address says of every page of a merchant's environment. Texts as they came: only `openVisit` says what they are worth. */
export interface PageProps {
  readonly params: Promise<{ merchant: string; environment: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** @returns a query parameter that was given once. */
export function single(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
