/** @returns a merchant's name as it stands in addresses: `duka-la-mfano`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return slug || 'merchant';
}

const NAME_MAX = 100;

/** @returns a sentence that says what is wrong with a merchant's name, or null. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'the name must not be empty';
  if (name.length > NAME_MAX) return `the name must be at most ${NAME_MAX} characters`;
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed() ? 'the name must not contain control characters or line breaks' : null;
}

/** @returns whether a text looks like an e-mail address: enough to catch a slip, the mail itself proves the rest. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
