/** Returns a role's name (`Shell.role_*`) as tables and lists show it: with a capital letter. Sentences contain it without. */
export function roleTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
