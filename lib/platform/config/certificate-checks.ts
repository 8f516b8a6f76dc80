const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';
let weak: readonly string[] = [];

/**
 * Overrules the variables with which Node accepts any certificate, or versions of TLS that are broken. People set them for another program,
 * but here they would open the calls to providers, receivers and the database to anybody on the way. Child processes do not get the first.
 */
export async function keepTlsStrong(): Promise<void> {
  const oldVersions = process.env.NODE_OPTIONS?.match(/--tls-min-v1\.[01]\b/g) ?? [];
  if (oldVersions.length > 0) (await import('node:tls')).default.DEFAULT_MIN_VERSION = 'TLSv1.2';
  weak = [...(process.env[VARIABLE] === '0' ? [`${VARIABLE}=0`] : []), ...oldVersions.map((option) => `NODE_OPTIONS=${option}`)];
  delete process.env[VARIABLE];
}

/** Returns what `keepTlsStrong` has overruled in this process. */
export function overruledTls(): readonly string[] {
  return weak;
}
