import { bare, type Finding } from './finding';

const PREFIX = 'whsec_';
/** Standard Webhooks 1.0.0: a secret has 24 to 64 random bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
/** Texts with more characters are not parsed. */
const MAX_PASTED = 1_000;

/** A signing secret that a person pasted. */
export interface PastedSecret {
  /** The text without quotes, spaces and variable name. */
  readonly text: string;
  /** The key bytes, or null if the text is not a secret. */
  readonly key: Buffer | null;
  readonly findings: readonly Finding[];
}

/** Parses a secret that may have quotes, spaces or a variable name around it. */
export function readSecret(pasted: string): PastedSecret {
  if (pasted.length > MAX_PASTED) return { text: '', key: null, findings: bare('secret_malformed') };
  const text = pasted
    .trim()
    .replace(/^(?:export\s+)?\w+\s*=\s*(?=["']?whsec_)/, '')
    .replace(/^["'`]+|["'`;,]+$/g, '')
    .trim();
  if (text === '') return { text, key: null, findings: bare('secret_empty') };
  if (/^bili_(live|sandbox)_/.test(text)) return { text, key: null, findings: bare('secret_is_api_key') };
  const key = secretKey(text);
  if (!key) return { text, key: null, findings: bare('secret_malformed') };
  return {
    text,
    key,
    findings: [...(text === pasted ? [] : bare('secret_padded')), ...(text.startsWith(PREFIX) ? [] : bare('secret_prefix_missing'))],
  };
}

/** Returns the key bytes of a secret, or null if the text is not base64 or has the wrong length. */
export function secretKey(text: string): Buffer | null {
  const encoded = withoutPrefix(text);
  if (encoded.length > 4 * MAX_BYTES || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const key = Buffer.from(encoded, 'base64');
  const whole = key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  return whole && key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : null;
}

export function withoutPrefix(text: string): string {
  return text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
}
