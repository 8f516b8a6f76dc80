/** The result of an operation that can fail. Expected failures are values. Only bugs and broken infrastructure throw. */
export type Result<Value, Failure> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: Failure };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function valueOrNull<Value>(result: Result<Value, unknown>): Value | null {
  return result.ok ? result.value : null;
}

export function fail<Failure>(error: Failure): { ok: false; error: Failure } {
  return { ok: false, error };
}
