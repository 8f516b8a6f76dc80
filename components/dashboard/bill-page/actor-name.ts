/** `user:asha@example.com` without what kind of somebody it is. */
export function nameOf(actor: string): string {
  return actor.replace(/^\w+:/, '');
}
