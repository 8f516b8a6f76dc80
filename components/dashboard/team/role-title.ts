/** Returns a role's name (`Shell.role_*`) with a capital letter, as tables and lists show it. In sentences it begins with a small one. */
export function roleTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
