export function makeRelease(): Promise<string>;
