import { FOLDERS } from './folders';
import { folderOf, type SourceFile } from './source-files';

/** Returns folders that {@link FOLDERS} does not list, or lists although they do not exist. */
export function unlistedFolders(files: readonly SourceFile[]): string[] {
  const present = new Set(files.filter(({ isProduct }) => isProduct).map(({ path }) => folderOf(path)));
  return [...[...present].filter((folder) => !FOLDERS.includes(folder)), ...FOLDERS.filter((folder) => !present.has(folder))].sort();
}

/** Returns imports of a later folder, or of tests. */
export function upwardImports(files: readonly SourceFile[]): string[] {
  const tests = new Set(files.filter(({ isProduct }) => !isProduct).map(({ path }) => path));
  return files
    .filter(({ isProduct }) => isProduct)
    .flatMap(({ path, imports }) =>
      imports
        .filter((imported) => tests.has(imported) || FOLDERS.indexOf(folderOf(imported)) > FOLDERS.indexOf(folderOf(path)))
        .map((imported) => `${path} -> ${imported}`),
    );
}

/** Returns pairs of folders that import each other. */
export function mutualImports(files: readonly SourceFile[]): string[] {
  const edges = new Set(
    files
      .filter(({ isProduct }) => isProduct)
      .flatMap(({ path, imports }) => imports.map((imported) => `${folderOf(path)} ${folderOf(imported)}`)),
  );
  return [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && edges.has(`${to} ${from}`);
  });
}

/** Returns the number of source files of each folder, largest first. */
export function filesPerFolder(files: readonly SourceFile[]): { readonly folder: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { path, isProduct } of files) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (isProduct) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, count]) => ({ folder, count })).sort((a, b) => b.count - a.count);
}
