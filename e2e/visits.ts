import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { listPages, routeOf } from '@/testing/surface/route-files';

/** Playwright empties its folder of results before each run. */
const FOLDER = join(PROJECT_ROOT, 'test-results', 'visits');

/** These pages are not visited by their address. */
const UNVISITED = new Set([
  // This page does not exist in production.
  'design/page.tsx',
  // This page is shown at the address to which a form was sent.
  'form-refused/direct.tsx',
  // This page is shown at addresses that no page has.
  '(auth)/not-found/direct.tsx',
]);

/** Records the paths of all pages that a browser shows from now on. Returns a function that stores them. */
export function recordVisits(browser: Browser, workerIndex: number): () => void {
  const paths = new Set<string>();
  const visit = (url: string) => paths.add(new URL(url).pathname);
  browser.on('context', (context) =>
    context.on('page', (page) => {
      // A link that opens a new tab has been followed already.
      visit(page.url());
      page.on('framenavigated', (frame) => {
        if (frame === page.mainFrame()) visit(frame.url());
      });
    }),
  );
  return () => {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${workerIndex}.json`), JSON.stringify([...paths]));
  };
}

/** Returns the pages that no test of this run has visited. */
export function unvisitedPages(): string[] {
  const paths = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).flatMap((name): string[] =>
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
  );
  const visited = new Set(paths.map((path) => routeOf(path)));
  return listPages().filter((file) => !visited.has(file) && !UNVISITED.has(file));
}
