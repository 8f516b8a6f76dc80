import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { ENGLISH } from './messages';

const sources = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.startsWith('db/generated'))
    .map((name) => readFileSync(join(PROJECT_ROOT, folder, name), 'utf8')),
);

/** Matches string literals and property names. Each can be the key of a text, or a value from which the code builds a key. */
const WORDS = /'([\w.-]+)'|\b(\w+)\??:/g;
/** Matches template strings from which the code builds keys. A key is used if it has the fixed parts of such a string. */
const TEMPLATES = /`([\w.]*(?:\$\{[^`{}]*\}[\w.]*)+)`/g;

function namesIn(source: string): { readonly words: ReadonlySet<string>; readonly patterns: readonly RegExp[] } {
  return {
    // Actions of the audit log contain dots and dashes. The keys of their texts contain underscores instead.
    words: new Set(
      [...source.matchAll(WORDS)].flatMap(([, literal = '', member = '']) => [literal, literal.replaceAll(/[.-]/g, '_'), member]),
    ),
    patterns: [...source.matchAll(TEMPLATES)]
      .map(([, template = '']) => template.split(/\$\{[^`{}]*\}/))
      .filter((parts) => parts.some((part) => part.length > 1))
      .map((parts) => new RegExp(`^${parts.join('\\w+')}$`)),
  };
}

function pathsOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null ? pathsOf(inner, `${prefix}${key}.`) : [prefix + key],
  );
}

const wordsOf = (all: readonly string[]) => namesIn(all.join('\n')).words;

/** Returns the texts of a namespace whose key occurs nowhere in the source. @param everywhere the words of all sources. */
function unusedOf(namespace: string, texts: object, all: readonly string[], everywhere = wordsOf(all)): string[] {
  const { words, patterns } = namesIn(all.filter((source) => source.includes(`'${namespace}'`)).join('\n'));
  if (words.size === 0) return ['*'];
  return pathsOf(texts).filter((path) => {
    const last = path.split('.').at(-1) ?? path;
    return !words.has(path) && !everywhere.has(last) && !patterns.some((pattern) => pattern.test(path) || pattern.test(last));
  });
}

const everywhere = wordsOf(sources);
test.each(Object.entries(ENGLISH))('every text of %s is used', (namespace, texts) => {
  expect(unusedOf(namespace, texts, sources, everywhere)).toEqual([]);
});

test('finds a text that is not used', () => {
  const source = "const t = useTranslations('Bill'); t('paid'); t(`state_$" + "{state}`); type Reason = 'late' | 'early';";
  const texts = { paid: '', state_open: '', late: '', early: '', forgotten: '', of: { old: '' } };
  expect(unusedOf('Bill', texts, [source])).toEqual(['forgotten', 'of.old']);
  expect(unusedOf('Keys', texts, [source])).toEqual(['*']);
});
