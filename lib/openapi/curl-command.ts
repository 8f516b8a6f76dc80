import type { Operation, Parameter } from './types';

/** Returns the example of an operation as a command, with the variables that all examples of the documentation use. */
export function curlCommand({ parameters = [], requestBody, security }: Operation, method: string, path: string): string {
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const id = of('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = new URLSearchParams(of('query').map(({ name, example }) => [name, String(example)])).toString();
  const body = requestBody?.content['application/json'];
  const options = [
    method === 'POST' && !body ? '-X POST' : '',
    security?.length === 0 ? '' : '-H "Authorization: ApiKey $BILI_KEY_ID:$BILI_SECRET"',
    ...of('header').map(({ name, example }) => `-H '${name}: ${String(example)}'`),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${oneLine(body.example).replaceAll("'", "'\\''")}'`] : []),
  ];
  return [`curl -sS "$BILI_URL${id}${query === '' ? '' : `?${query}`}"`, ...options.filter((option) => option !== '')].join(' \\\n  ');
}

function oneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\s*\n\s*/g, ' ');
}
