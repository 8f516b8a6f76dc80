import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { signatureHeaders } from '@/lib/webhooks/rules';

afterEach(() => void vi.useRealTimers());

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', '.github/*.md', 'kits/*/README.md'], { cwd: PROJECT_ROOT });
const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');

/** Returns the anchors of a document's headings in GitHub's format. */
function anchorsOf(document: string): string[] {
  const headings = [...document.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase());
  return headings.map((text) => text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

test.each(DOCUMENTS)('all links in %s work', (path) => {
  // Links that begin with a slash are left out: they lead to pages of the running product, not to files.
  const targets = [...read(path).matchAll(/\]\((?!https?:|\/)([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(PROJECT_ROOT, found))) return true;
    return anchor !== undefined && !anchorsOf(read(found)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(DOCUMENTS)('all files that %s mentions exist', (path) => {
  const named = [...read(path).matchAll(/`((?:lib|app|components|prisma|e2e)\/[\w./()[\]-]*)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !existsSync(join(PROJECT_ROOT, name)))).toEqual([]);
});

test('every example of a receiver on the own machine has the same address', () => {
  const texts = [...DOCUMENTS, 'lib/cli/commands/tool-commands.ts'].map(read).join('\n');
  const addresses = [...texts.matchAll(/(?:--forward-to|--url|receiver, for example) (http:[^\s`',]+)/g)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThanOrEqual(5);
  expect(new Set(addresses)).toEqual(new Set(['http://127.0.0.1:8080/bili']));
});

test('the README is short', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThan(10_000);
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
