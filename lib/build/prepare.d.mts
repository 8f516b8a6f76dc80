export function requireBuildablePath(path?: string): void;
