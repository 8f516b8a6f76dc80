/** Returns `asha@example.com` for `user:asha@example.com`. */
export function nameOf(actor: string): string {
  return actor.replace(/^\w+:/, '');
}
