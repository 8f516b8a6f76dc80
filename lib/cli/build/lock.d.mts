export function withLock(path: string, work: () => Promise<void>, onWait: () => void): Promise<void>;
