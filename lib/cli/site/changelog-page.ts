import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

const PLACE = '<!-- changelog -->';

/** Puts the versions of CHANGELOG.md into the page, without links to files that only the repository has. */
export function withChangelog(markdown: string): string {
  const whole = readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8');
  const versions = whole.slice(whole.indexOf('\n## ') + 1);
  // Small headings such as "Added" repeat in each version, so their anchors would not be unique. They become bold text instead.
  const text = versions.replace(/^### (.*)$/gm, '**$1**').replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1');
  if (!markdown.includes(PLACE)) throw new Error(`the page of the changelog needs a line ${PLACE}`);
  return markdown.replace(PLACE, () => text.trimEnd());
}
