import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

afterEach(() => void vi.useRealTimers());

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', '.github/*.md', 'kits/*/README.md'], { cwd: PROJECT_ROOT });
const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');

/** Returns the anchors of a document's headings in GitHub's format. */
function anchorsOf(document: string): string[] {
  const headings = [...document.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase());
  return headings.map((text) => text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

/** Returns what a document says that is wrong, each with the document. */
const wrongIn = (findWrong: (path: string) => string[]) => DOCUMENTS.flatMap((path) => findWrong(path).map((wrong) => `${path}: ${wrong}`));

test('all links of the documents work', () => {
  const broken = wrongIn((path) => {
    // Links that begin with a slash are left out: they lead to pages of the running product, not to files.
    const targets = [...read(path).matchAll(/\]\((?!https?:|\/)([^)\s]+)\)/g)].map(([, target = '']) => target);
    return targets.filter((target) => {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(PROJECT_ROOT, found))) return true;
      return anchor !== undefined && !anchorsOf(read(found)).includes(anchor);
    });
  });
  expect(broken).toEqual([]);
});

/** A path in the repository, which may contain globs and braces. */
const PATH = String.raw`(?:app|components|deploy|docs|e2e|kits|lib|prisma|public|testing)/[\w./()[\]*{},-]*`;
const IN_DOCUMENT = new RegExp(`\`(${PATH})\``, 'g');
/** A path in a comment ends before punctuation and a parenthesis that surrounds it. */
const IN_COMMENT = new RegExp(String.raw`(?<![\w/@.'-])${PATH}[\w\]*}]`, 'g');
const COMMENT = /(?:\/\/|\*|#|--).*/g;

const FILES = globSync('{app,components,deploy,docs,e2e,kits,lib,prisma,public,testing}/**', {
  cwd: PROJECT_ROOT,
  exclude: (name) => name === 'node_modules' || name === 'generated',
}).map((path) => path.replaceAll('\\', '/'));
/** A file that a command of the documentation writes. */
const WRITTEN = 'kits/woocommerce/bili-payments.zip';

/** Returns the paths that a pattern with braces stands for. */
function expandBraces(pattern: string): string[] {
  const [whole = '', before = '', options, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  return whole === '' || options === undefined ? [pattern] : options.split(',').flatMap((one) => expandBraces(before + one + after));
}

function exists(path: string): boolean {
  if (!path.includes('*')) return path === WRITTEN || existsSync(join(PROJECT_ROOT, path));
  const pattern = path
    .replace(/\/$/, '')
    .split('**/')
    .map((part) =>
      part
        .replace(/[.()[\]]/g, '\\$&')
        .split('*')
        .join('[^/]*'),
    )
    .join('(?:.*/)?');
  return FILES.some((file) => new RegExp(`^${pattern}$`).test(file));
}

const missing = (patterns: readonly string[]) => patterns.flatMap(expandBraces).filter((path) => !exists(path));

test('globs and braces are compared with the files', () => {
  expect(missing(['lib/cli/{bootstrap,bili}.{mjs,ts}'])).toEqual(['lib/cli/bootstrap.ts', 'lib/cli/bili.mjs']);
  const found = ['lib/cli/*.mjs', 'lib/**/bootstrap.mjs', 'docs/site/{en,sw}/*.md', 'app/(auth)/*/[token]', 'lib/*/'];
  expect(missing(found)).toEqual([]);
  const absent = ['lib/*.mjs', 'lib/cli/boot-*.mjs', 'lib/**/bootstrap.ts', 'docs/site/{en,fr}/*.md'];
  expect(missing(absent)).toEqual(['lib/*.mjs', 'lib/cli/boot-*.mjs', 'lib/**/bootstrap.ts', 'docs/site/fr/*.md']);
});

test('all files that the documents mention exist', () => {
  expect(wrongIn((path) => missing([...read(path).matchAll(IN_DOCUMENT)].map(([, name = '']) => name)))).toEqual([]);
});

test('all files that comments mention exist', () => {
  const sources = FILES.filter((path) => /\.(tsx?|mjs|mts|css|prisma|sql)$/.test(path));
  const broken = sources.flatMap((path) => {
    const comments = [...read(path).matchAll(COMMENT)].flatMap(([text]) => text.match(IN_COMMENT) ?? []);
    return missing(comments).map((name) => `${path}: ${name}`);
  });
  expect(broken).toEqual([]);
});

test('every example of a receiver on the own machine has the same address', () => {
  const texts = [...DOCUMENTS, 'lib/cli/commands/tool-commands.ts'].map(read).join('\n');
  const addresses = [...texts.matchAll(/(?:--forward-to|--url|receiver, for example) (http:[^\s`',]+)/g)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThanOrEqual(5);
  expect(new Set(addresses)).toEqual(new Set(['http://127.0.0.1:8080/bili']));
});

test.each(['docs/webhooks.md', 'docs/site/en/webhooks.md'])('the example in %s has a correct signature', (path) => {
  const document = read(path);
  const [, secret = ''] = /`(whsec_[\w+/=]+)`/.exec(document) ?? [];
  const [, body = ''] = /\n(\{"bill".*\})\n/.exec(document) ?? [];
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(document)?.[1] ?? '';
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, header(name)]));
  const at = new Date(Number(header('webhook-timestamp')) * 1_000);
  expect(signatureHeaders([secret], { id: header('webhook-id'), at, body: Buffer.from(body) })).toEqual(headers);
  vi.useFakeTimers({ now: at });
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ bill: { status: 'FULLY_PAID' } });
});
