export function findMissingPackage(root: string): string | null;
