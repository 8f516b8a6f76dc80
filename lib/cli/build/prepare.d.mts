export function requireBuildablePath(path?: string): void;
export function findMissingPackage(root: string): string | null;
