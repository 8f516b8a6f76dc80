/** Returns the name of a role for tables and lists, where it begins with a capital letter. @param name the text `Shell.role_*`. */
export function roleTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
