type Plain = string | number | boolean | null;
type Facts = Readonly<Record<string, Plain | undefined>>;

/** Pure. Returns the changed fields before and after, for the `data` of an audit entry. Fields missing in `change` are not changed. */
export function differences(
  whole: Facts,
  change: Facts,
): { readonly before: Record<string, Plain>; readonly after: Record<string, Plain> } {
  const before: Record<string, Plain> = {};
  const after: Record<string, Plain> = {};
  for (const [key, now] of Object.entries(change)) {
    const old = whole[key] ?? null;
    if (now === undefined || now === old) continue;
    before[key] = old;
    after[key] = now;
  }
  return { before, after };
}
