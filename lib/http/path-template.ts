/** The decoded parameters of a path, by name. */
export type PathParams = Readonly<Record<string, string>>;

/**
 * Compiles a path template such as `/api/v3/bills/:id`. The returned function reads the parameters of a path, or returns null if the path
 * does not match. It percent-decodes each parameter once. If that is not valid UTF-8, the parameter stays as it was sent.
 */
export function pathReader(template: string): (path: string) => PathParams | null {
  const parts = template.split('/').map((text) => ({ text, name: text.startsWith(':') ? text.slice(1) : null }));
  const [literal = ''] = template.split(':', 1);
  return (path) => {
    if (!path.startsWith(literal)) return null;
    const segments = path.split('/');
    if (segments.length !== parts.length) return null;
    const params: Record<string, string> = {};
    for (let index = 0; index < parts.length; index += 1) {
      const { name, text } = parts[index] ?? { name: null, text: '' };
      const segment = segments[index] ?? '';
      if (name === null ? text !== segment : segment === '') return null;
      if (name !== null) params[name] = decoded(segment);
    }
    return params;
  };
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
