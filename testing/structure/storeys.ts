import { folderOf, type SourceFile } from './source-files';

/** The storeys of the house, lowest first. A file imports only files of its own storey and of lower ones. docs/architecture.md describes them. */
export const STOREYS = [
  'lib/platform',
  'lib/identity',
  'lib/providers',
  'lib/gateway',
  'lib/backoffice',
  'lib/entry',
  'components',
  'app',
  'lib/cli',
] as const;

type Edge = readonly [from: string, to: string];

/** Returns the index of a file's storey in {@link STOREYS}, or -1. */
function storeyOf(path: string): number {
  return STOREYS.findIndex((storey) => path.startsWith(`${storey}/`));
}

/** Returns product files that belong to no storey. */
export function homelessFiles(files: readonly SourceFile[]): string[] {
  return files.filter(({ path, isProduct }) => isProduct && storeyOf(path) < 0).map(({ path }) => path);
}

/** Returns imports of a higher storey, or of tests. */
export function upwardImports(files: readonly SourceFile[]): string[] {
  const tests = new Set(files.filter(({ isProduct }) => !isProduct).map(({ path }) => path));
  return productImports(files)
    .filter(([from, to]) => tests.has(to) || storeyOf(to) > storeyOf(from))
    .map(([from, to]) => `${from} -> ${to}`);
}

/**
 * Returns the cycles of folders inside a storey: of the folders directly below it with everything in them, and of all folders. The pages of
 * `app` count as one folder.
 */
export function folderCycles(files: readonly SourceFile[]): string[] {
  const inside = productImports(files).filter(([from, to]) => storeyOf(from) === storeyOf(to));
  const rooms = inside.map(([from, to]): Edge => [roomOf(from), roomOf(to)]);
  const folders = inside.map(([from, to]): Edge => [folderOf(from), folderOf(to)]);
  return [...new Set([...findCycles(rooms), ...findCycles(folders)])];
}

/** Returns groups of files that import each other, directly or through others. */
export function fileCycles(files: readonly SourceFile[]): string[] {
  return findCycles(productImports(files));
}

function productImports(files: readonly SourceFile[]): Edge[] {
  return files.filter(({ isProduct }) => isProduct).flatMap(({ path, imports }) => imports.map((imported): Edge => [path, imported]));
}

/** Returns the folder directly below the storey that contains a file; the storey itself for a file without such a folder. */
function roomOf(path: string): string {
  const storey = STOREYS[storeyOf(path)] ?? '';
  const [room = '', rest] = path.slice(storey.length + 1).split('/');
  return rest === undefined || storey === 'app' ? storey : `${storey}/${room}`;
}

/** Returns the strongly connected components with more than one node, each as a line of text (Tarjan's algorithm). */
function findCycles(edges: readonly Edge[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const index = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    stack.push(node);
    let lowest = own;
    for (const next of targets.get(node) ?? [])
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? own);
    if (lowest === own) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) cycles.push(members.sort().join(' <-> '));
    }
    return lowest;
  };
  for (const node of targets.keys()) if (!index.has(node)) visit(node);
  return cycles;
}
