/** The path below which pages of the documentation send requests to the sandbox, on both base addresses. */
export const SEND_PATH = '/docs/send';

/** A value of a request that readers can change: a parameter of the path or of the query, or a header. Empty if it is not sent. */
interface RequestField {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly value: string;
}

/** The example request of an operation. Pages of the documentation let readers change and send it. */
export interface ExampleRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with its parameters, for example `/api/v3/bills/{id}`. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly fields: readonly RequestField[];
  /** The body as indented JSON; null if the operation has none. */
  readonly body: string | null;
}

/** The two parts of an API key. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

/** What the samples contain instead of a key. */
const NO_KEY: ApiKey = { id: 'YOUR_KEY_ID', secret: 'YOUR_SECRET' };

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Returns the HTTP request of an example. */
export function httpRequest({ method, path, needsKey, fields, body }: ExampleRequest, key: ApiKey = NO_KEY): HttpRequest {
  const sent = (place: RequestField['in']) => fields.filter((field) => field.in === place && field.value !== '');
  const filled = sent('path').reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(sent('query').map(({ name, value }) => [name, value])).toString();
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: {
      ...(needsKey && { Authorization: `ApiKey ${key.id}:${key.secret}` }),
      ...Object.fromEntries(sent('header').map(({ name, value }) => [name, value])),
      ...(body !== null && { 'Content-Type': 'application/json' }),
    },
    body,
  };
}

interface Sample {
  /** The language of the code, as in a fenced block of Markdown. */
  readonly language: string;
  /** The label of its tab. */
  readonly label: string;
  readonly write: (request: HttpRequest, origin: string) => string;
}

/** The languages of the samples, in the order of their tabs. Each sample sends a request to an origin and prints the answer. */
export const SAMPLES: readonly Sample[] = [
  { language: 'sh', label: 'curl', write: writeCurl },
  { language: 'php', label: 'PHP', write: writePhp },
  { language: 'python', label: 'Python', write: writePython },
  { language: 'js', label: 'Node', write: writeNode },
  { language: 'java', label: 'Java', write: writeJava },
];

/** Returns the request as a command for `curl`. */
export function writeCurl({ method, path, headers, body }: HttpRequest, origin: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = [
    ...(method !== 'GET' && body === null ? [`-X ${method}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ];
  return [`curl -sS ${quoted(origin + path)}`, ...options].join(' \\\n  ');
}

function writePhp({ method, path, headers, body }: HttpRequest, origin: string): string {
  const options = [
    ...(body === null ? [] : [`CURLOPT_POSTFIELDS => json_encode(${indented(phpValue(body), 4)}),`]),
    ...(method !== 'GET' && body === null ? [`CURLOPT_CUSTOMREQUEST => '${method}',`] : []),
    'CURLOPT_HTTPHEADER => [',
    ...Object.entries(headers).map(([name, value]) => `    ${single(`${name}: ${value}`)},`),
    '],',
    'CURLOPT_RETURNTRANSFER => true,',
    'CURLOPT_TIMEOUT => 30,',
  ];
  return `<?php
$request = curl_init(${single(origin + path)});
curl_setopt_array($request, [
${options.map((line) => `    ${line}`).join('\n')}
]);
echo curl_exec($request), "\\n";`;
}

function writePython({ method, path, headers, body }: HttpRequest, origin: string): string {
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  const value = body === null ? '' : outsideTexts(body, /\b(?:true|false|null)\b/g, (word) => names[word] ?? word);
  return `import ${body === null ? '' : 'json, '}urllib.error, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(origin + path)},
    method="${method}",
    headers={
${Object.entries(headers)
  .map(([name, text]) => `        ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`)
  .join('')}    },
${body === null ? '' : `    data=json.dumps(${indented(value, 4)}).encode(),\n`})
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())`;
}

function writeNode({ method, path, headers, body }: HttpRequest, origin: string): string {
  return `const answer = await fetch(${single(origin + path)}, {
  method: '${method}',
  headers: {
${Object.entries(headers)
  .map(([name, value]) => `    ${/^\w+$/.test(name) ? name : single(name)}: ${single(value)},\n`)
  .join('')}  },
${body === null ? '' : `  body: JSON.stringify(${indented(body, 2)}),\n`}});
console.log(await answer.text());`;
}

function writeJava({ method, path, headers, body }: HttpRequest, origin: string): string {
  const block = body?.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  const publisher = block === undefined ? 'noBody()' : `ofString("""\n                ${indented(block, 16)}""")`;
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `.header(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    method === 'GET' ? '.GET()' : `.${method === 'POST' ? 'POST(' : `method("${method}", `}HttpRequest.BodyPublishers.${publisher})`,
    '.build();',
  ];
  return `import java.net.URI;
import java.net.http.*;

class Call {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(origin + path)}))
${lines.map((line) => `            ${line}`).join('\n')}
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.body());
    }
}`;
}

/** Returns JSON as an expression of PHP. */
function phpValue(json: string): string {
  const signs: Readonly<Record<string, string>> = { '{': '[', '}': ']', ':': ' =>' };
  return outsideTexts(
    json,
    /\{\s*\}|[{}:]/g,
    (sign) => signs[sign] ?? 'new stdClass',
    (text) => single(readText(text)),
  );
}

/** Replaces what matches a pattern in JSON, except in its texts. Also JSON that is not complete keeps everything else. */
function outsideTexts(
  json: string,
  pattern: RegExp,
  replace: (found: string) => string,
  ofText: (text: string) => string = (text) => text,
): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|[^"]+/g, (part, text) => (text === undefined ? part.replace(pattern, replace) : ofText(part)));
}

/** Returns the value of a text of JSON, or its source if it is not valid. */
function readText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return json;
  }
}

/** Returns a text in single quotes, as PHP and JavaScript read it. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
