import { containsAddress } from '@/lib/platform/core/find-address';
import { visibleLine } from '@/lib/platform/core/text';

/** Returns a merchant's name as a URL slug, such as `duka-la-mfano`. */
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

/** Returns what is wrong with a merchant's name, or null. Names appear in mails to strangers, so they must not contain addresses. */
export function nameProblem(name: string): string | null {
  if (visibleLine(name) === '') return 'the name must not be empty';
  if (name.length > NAME_MAX) return `the name must be at most ${NAME_MAX} characters`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed())
    return 'the name must not contain control characters, invisible characters or line breaks';
  return containsAddress(name) ? 'the name must not contain a web or e-mail address; put a space after a dot' : null;
}

/** Returns whether a text looks like an e-mail address. This finds typing errors. Only a mail can show that the address exists. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
