/** Explains why a port could not be opened, and what to do. */
export function portProblem(error: unknown, port: number, host: string | undefined): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what uses it, or set PORT and SANDBOX_PORT to free ports.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set PORT and SANDBOX_PORT to ports above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST "${host}" is no address of this machine: correct it, or leave it out to listen on all.`;
  return `Port ${port} could not be opened: ${error instanceof Error ? error.message : String(error)}`;
}
