import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const FOLDERS = ['components', 'app'];
/** Strings that need no translation: the product's name, and a masked secret. */
const NAMES = new Set(['Bili', `whsec_${'•'.repeat(24)}`]);
/** Matches the text between a tag and the next closing tag. */
const BETWEEN_TAGS = /(?<=[\w"'})]\s*)>([^<>{}()=;]*\p{L}{2}[^<>{}()=;]*)<\//gu;
/** Matches attributes that people read or hear. */
const SPOKEN = /\b(?:title|alt|placeholder|aria-label|aria-description|label)="([^"]*\p{L}[^"]*)"/gu;

function textsOf(source: string): string[] {
  return [...source.matchAll(BETWEEN_TAGS), ...source.matchAll(SPOKEN)]
    .map(([, text = '']) => text.trim())
    .filter((text) => !NAMES.has(text));
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => join(folder, name)),
);

test('code contains no text: every text is in the messages', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => textsOf(readFileSync(join(PROJECT_ROOT, file), 'utf8')).map((text) => `${file}: ${text}`));
  expect(found).toEqual([]);
});

test('finds a text in code', () => {
  expect(textsOf('<p className="x">Pay now</p>')).toEqual(['Pay now']);
  expect(textsOf('<p>\n  Lipa sasa\n</p>')).toEqual(['Lipa sasa']);
  expect(textsOf('<img alt="A phone" /><progress aria-label={t("x")} />')).toEqual(['A phone']);
  expect(textsOf('<b>Bili</b><b>{t("pay")}</b> const a = (b: X<Y>) => c<D>(e)')).toEqual([]);
});
