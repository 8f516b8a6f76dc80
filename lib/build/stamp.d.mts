export function requireBuild(): void;
