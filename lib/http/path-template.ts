/** The parameters of a path, decoded, by name. */
export type PathParams = Readonly<Record<string, string>>;

/**
 * @param template a path whose segments may be parameters, for example `/api/v3/bills/:id`.
 * @returns a function that reads the parameters of a path, and returns null for a path that the template does not match. A
 *   parameter is percent-decoded once; if that is not valid UTF-8, it stays as it was sent.
 */
export function pathReader(template: string): (path: string) => PathParams | null {
  const parts = template.split('/');
  const [literal = ''] = template.split(':', 1);
  return (path) => {
    if (!path.startsWith(literal)) return null;
    const segments = path.split('/');
    if (segments.length !== parts.length) return null;
    const params: Record<string, string> = {};
    for (const [index, part] of parts.entries()) {
      const segment = segments[index] ?? '';
      if (part.startsWith(':') ? segment === '' : part !== segment) return null;
      if (part.startsWith(':')) params[part.slice(1)] = decoded(segment);
    }
    return params;
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
