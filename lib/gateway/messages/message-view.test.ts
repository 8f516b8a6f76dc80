import { expect, test } from 'vitest';
import type { ListedMessage } from './message-store';
import { prettyJson, prettyXml, viewMessage } from './message-view';

function message(body: string, headers: Readonly<Record<string, string>> = {}): ListedMessage {
  const bytes = Buffer.from(body);
  return {
    id: 'm',
    provider: 'mpesa',
    kind: 'callback',
    httpStatus: null,
    headers,
    body: bytes,
    size: bytes.length,
    error: null,
    receivedAt: new Date(0),
  };
}

test('JSON is indented, and long numbers are not rounded', () => {
  expect(prettyJson('{"id":12345678901234567890.10,"list":[1,{"a":null}],"none":{},"text":"a\\"b,{}"}')).toBe(
    '{\n  "id": 12345678901234567890.10,\n  "list": [\n    1,\n    {\n      "a": null\n    }\n  ],\n  "none": {},\n  "text": "a\\"b,{}"\n}',
  );
  expect(prettyJson('{"a":')).toBeNull();
});

test('XML is indented, and invalid XML returns null', () => {
  expect(prettyXml('<?xml version="1.0"?><a x="1"><b>text</b><c/><d></d></a>')).toBe(
    '<?xml version="1.0"?>\n<a x="1">\n  <b>text</b>\n  <c/>\n  <d></d>\n</a>',
  );
  for (const none of ['', 'hello', '<a><b></a>', '<a', 'a < b > c', '<a>']) expect(prettyXml(none), none).toBeNull();
});

test('deep nesting does not produce megabytes of spaces', () => {
  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  for (const levels of [100, 8_000]) {
    expect((prettyJson(deep('[', ']', levels)) ?? '').length).toBeLessThanOrEqual(64 * 1024);
    expect((prettyXml(deep('<a>', '</a>', levels)) ?? '').length).toBeLessThanOrEqual(64 * 1024);
  }
  expect(prettyJson(deep('[', ']', 100))).toContain('\n');
  expect(viewMessage(message(deep('[', ']', 8_000))).body).toHaveLength(16_000);
});

test('secrets are masked in headers, JSON members, XML elements, form fields and callback addresses', () => {
  const { headers, body } = viewMessage(
    message('{"amount":"5000","pin":1234,"api_key":"K1","nested":{"accessToken":"K2"},"url":"https://pay.example/callbacks/mpesa/K3"}', {
      authorization: 'Bearer K4',
      'x-signature': 'K5',
      'set-cookie': 'a=K6',
      'content-type': 'application/json',
      link: 'https://x.example/?token=K7&page=2',
      note: 'use Bearer K8',
    }),
  );
  const all = JSON.stringify([headers, body]);
  expect(all).not.toMatch(/K\d|1234/);
  expect(all).toContain('application/json');
  expect(body).toContain('"amount": "5000"');
  expect(headers).toContainEqual(['link', 'https://x.example/?token=•••&page=2']);
  expect(viewMessage(message('<r><Password>K9</Password><id>7</id></r>')).body).toBe('<r>\n  <Password>•••</Password>\n  <id>7</id>\n</r>');
  expect(viewMessage(message('secret=K1&amount=5')).body).toBe('secret=•••&amount=5');
});

test('control characters of a message are removed', () => {
  expect(viewMessage(message('a\u202eb\u0000c\u001b[31md')).body).toBe('abc[31md');
});

test('a body that is longer than the shown part is marked as cut', () => {
  expect(viewMessage({ ...message('abc'), size: 4 }).cut).toBe(true);
  expect(viewMessage(message('abc')).cut).toBe(false);
});
