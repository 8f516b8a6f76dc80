import { createHash, createHmac } from 'node:crypto';
import { format } from 'node:util';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookJson } from '@/lib/gateway/bills/bill-json';
import { formatSecret, messageId, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { describeFinding, type ExplainInput, explain, finding, type Known, type KnownSecret } from './explain-rules';

const now = new Date('2026-11-20T12:00:30Z');
const at = new Date('2026-11-20T12:00:00Z');
const secretOf = (name: string) => formatSecret(createHash('sha256').update(name).digest());
const secret = secretOf('current');
const uuid = '019dcafe-0000-7000-8000-000000000001';
const id = messageId(uuid);
const timestamp = String(at.getTime() / SECOND_MS);
const bill = { id: uuid, mobile: '0712345678', amount: 500000n, status: 'FULLY_PAID', reference: 'Café Zoë / No. 7' } as const;
const sent = webhookJson(bill);
const body = Buffer.from(sent);
const current: KnownSecret = { secret, problems: [] };
const other: KnownSecret = { secret: secretOf('other'), problems: finding('secret_of_other_environment', { environment: 'live' }) };
const known: Known = { secrets: [current, other], delivery: { body, attemptTimes: [at] } };
/** A test webhook: Bili does not store it. */
const unknown: Known = { ...known, delivery: null };

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const signed = signatureHeaders([secret], { id, at, body });
const signature = signed['webhook-signature']?.slice('v1,'.length) ?? '';
const right: ExplainInput = { body, headers: lines(signed), secret, now, known };
const codes = (input: Partial<ExplainInput>) => explain({ ...right, ...input }).map(({ code }) => code);

describe('a correct signature', () => {
  test('is confirmed', () => {
    expect(codes({})).toEqual(['signature_right']);
    expect(codes({ known: unknown })).toEqual(['signature_right', 'delivery_unknown']);
  });

  test('is confirmed for any body and secret, in agreement with an independent library', () => {
    const present = new Date();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.uuid(), (text, bytes, uuidOf) => {
        const ours = formatSecret(bytes);
        const headers = signatureHeaders([ours], { id: messageId(uuidOf), at: present, body: Buffer.from(text) });
        const secrets = [{ secret: ours, problems: [] }];
        const input = { body: Buffer.from(text), headers: lines(headers), secret: ours, now: present };
        expect(explain({ ...input, known: { secrets, delivery: null } })[0]?.code).toBe('signature_right');
        expect(() => new Webhook(ours).verify(Buffer.from(text), headers, { jsonParse: false })).not.toThrow();
      }),
    );
  });

  test('is not confirmed after any change, in agreement with an independent library', () => {
    const present = new Date();
    const headers = signatureHeaders([secret], { id, at: present, body });
    const changed = fc.oneof(
      fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 })).map(([position, by]) => {
        const bytes = Buffer.from(body);
        bytes[position] = (bytes[position] ?? 0) ^ by;
        return { body: Buffer.from(bytes.toString()), headers, secret };
      }),
      fc.uuid().map((uuidOf) => ({ body, headers: { ...headers, 'webhook-id': messageId(uuidOf) }, secret })),
      fc.integer({ min: 1, max: 200 }).map((seconds) => ({
        body,
        headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - seconds) },
        secret,
      })),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => ({ body, headers, secret: formatSecret(bytes) })),
    );
    fc.assert(
      fc.property(changed, (input) => {
        expect(() => new Webhook(input.secret).verify(input.body, input.headers)).toThrow();
        expect(explain({ ...input, headers: lines(input.headers), now: present, known })[0]?.code).not.toBe('signature_right');
      }),
    );
  });

  test('is confirmed with a note if it is old, from the future or one of several', () => {
    expect(explain({ ...right, now: addMs(at, 301 * SECOND_MS) })).toMatchObject([
      { code: 'signature_right' },
      { code: 'timestamp_old', data: { minutes: 5 } },
    ]);
    expect(codes({ now: addMs(at, 300 * SECOND_MS) })).toEqual(['signature_right']);
    expect(codes({ now: addMs(at, -6 * MINUTE_MS) })).toEqual(['signature_right', 'timestamp_ahead']);
    const both = lines({ ...signed, 'webhook-signature': `v1,${'A'.repeat(43)}= ${signed['webhook-signature']}` });
    expect(explain({ ...right, headers: both })).toContainEqual({ code: 'signature_among_several', data: { position: 2, count: 2 } });
  });
});

describe('headers', () => {
  const [webhookId, time, value] = Object.values(signed);
  test.each([
    ['lines', lines(signed)],
    [
      'capitals and CRLF',
      lines(signed)
        .toUpperCase()
        .replace(/: .*/g, '')
        .split('\n')
        .map((name, n) => `${name}:  ${[webhookId, time, value][n]} `)
        .join('\r\n'),
    ],
    ['curl -v', `> POST /hook HTTP/1.1\n${lines(signed).replace(/^/gm, '> ')}\n> Content-Type: application/json\n< HTTP/1.1 401\n`],
    [
      'curl options',
      `curl -H 'webhook-id: ${webhookId}' -H 'webhook-timestamp: ${time}' \\\n  -H "Webhook-Signature: ${value}" https://shop.example`,
    ],
    ['JSON', JSON.stringify({ host: 'shop.example', ...signed }, null, 2)],
    ['JSON of lists', JSON.stringify({ 'Webhook-Id': [webhookId], 'Webhook-Timestamp': [time], 'Webhook-Signature': [value] })],
    ['JSON of pairs', JSON.stringify(Object.entries(signed))],
    ['rawHeaders of Node', JSON.stringify(Object.entries(signed).flat())],
    ['console.log', format({ headers: { 'content-type': 'application/json', ...signed } })],
    ['a Python dict', `{'Host': 'x', 'Webhook-Id': '${webhookId}', 'Webhook-Timestamp': '${time}', 'Webhook-Signature': '${value}'}`],
    [
      '$_SERVER of PHP',
      `    [HTTP_WEBHOOK_ID] => ${webhookId}\n    [HTTP_WEBHOOK_TIMESTAMP] => ${time}\n    [HTTP_WEBHOOK_SIGNATURE] => ${value}\n`,
    ],
    ['env of Rack', `{"HTTP_WEBHOOK_ID"=>"${webhookId}", "HTTP_WEBHOOK_TIMESTAMP"=>"${time}", "HTTP_WEBHOOK_SIGNATURE"=>"${value}"}`],
    ['http.Header of Go', `map[Accept:[*/*] Webhook-Id:[${webhookId}] Webhook-Signature:[${value}] Webhook-Timestamp:[${time}]]`],
  ])('are found in the format: %s', (_form, headers) => {
    expect(codes({ headers })).toEqual(['signature_right']);
  });

  test.each([
    ['', ['header_missing', 'header_missing', 'header_missing']],
    [lines(signed).replace(/webhook-id.*/, ''), ['header_missing']],
    [lines({ ...signed, 'webhook-timestamp': '2026-11-20T12:00:00Z' }), ['timestamp_malformed']],
    [lines({ ...signed, 'webhook-timestamp': `${timestamp}123` }), ['timestamp_malformed']],
    [lines({ ...signed, 'webhook-signature': 'v1' }), ['signature_malformed']],
    [lines({ ...signed, 'webhook-signature': signature }), ['signature_malformed']],
    [lines({ ...signed, 'webhook-signature': `v1,${signature.slice(0, 30)}` }), ['signature_malformed']],
  ])('%j give %j', (headers, expected) => {
    expect(codes({ headers })).toEqual(expected);
  });

  test('of different attempts and of other senders are recognized', () => {
    const later = addMs(at, 5 * SECOND_MS);
    const retried: Known = { ...known, delivery: { body, attemptTimes: [at, later] } };
    const mixed = lines({ ...signed, 'webhook-timestamp': String(later.getTime() / SECOND_MS) });
    expect(codes({ headers: mixed, known: retried })).toEqual(['timestamp_not_signed']);
    expect(codes({ headers: lines({ ...signed, 'webhook-id': 'evt_1' }), known: unknown })).toEqual([
      'signature_differs',
      'delivery_unknown',
    ]);
  });

  test('with another signature are compared with the expected signature', () => {
    const wrong = `${'A'.repeat(43)}=`;
    expect(explain({ ...right, headers: lines({ ...signed, 'webhook-signature': `v1,${wrong}` }) })).toEqual([
      { code: 'signature_differs', data: { expected: signature, received: wrong } },
    ]);
  });
});

describe('the secret', () => {
  test.each([
    '',
    '  \n',
    'bili_sandbox_secret_0123456789',
    secret.slice(0, -10),
    'whsec_not base64!',
    'x'.repeat(5000),
    `${secret}\n`,
    `"${secret}"`,
    `WEBHOOK_SECRET=${secret}`,
  ])('%j is not a signing secret', (pasted) => {
    expect(codes({ secret: pasted })).toEqual(['secret_malformed']);
    expect(codes({ secret: pasted, computed: signature })).toEqual(['secret_malformed']);
  });

  test('is accepted without its prefix, as in the independent library', () => {
    expect(codes({ secret: secret.slice(6) })).toEqual(['signature_right']);
  });

  test('is compared with the known secrets', () => {
    const replaced = (...old: KnownSecret[]): Known => ({ ...known, secrets: [{ secret: secretOf('new'), problems: [] }, ...old] });
    expect(codes({ known: replaced({ secret, problems: [] }) })).toEqual(['signature_right']);
    expect(codes({ known: replaced({ secret, problems: finding('secret_old') }) })).toEqual(['secret_old']);
    expect(codes({ known: replaced() })).toEqual(['secret_old']);
    expect(codes({ secret: secretOf('wrong') })).toEqual(['secret_wrong']);
    expect(codes({ secret: other.secret })).toEqual(['secret_of_other_environment']);
  });
});

describe('a changed body', () => {
  const parsed: unknown = JSON.parse(sent);
  const python = sent
    .replace(/([:,])(?=["\d])/g, '$1 ')
    .replace(/é/g, '\\u00e9')
    .replace(/ë/g, '\\u00eb');
  const php = JSON.stringify(parsed)
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const go = '{"bill":{"amount":5000,"id":"ID","mobile":"0712345678","reference":"Café Zoë / No. 7","status":"FULLY_PAID"}}'.replace(
    'ID',
    uuid,
  );
  test.each<[string, string]>([
    ['express.json()', JSON.stringify(parsed)],
    ['pretty-printed', JSON.stringify(parsed, null, 2)],
    ['pretty-printed, CRLF', JSON.stringify(parsed, null, 2).replaceAll('\n', '\r\n')],
    ['json.dumps of Python', python],
    ['json_encode of PHP', php],
    ['a map of Go', go],
    ['express.json() and a newline', `${JSON.stringify(parsed)}\n`],
    ['express.json() and a byte order mark', `\ufeff${JSON.stringify(parsed)}`],
  ])('that was parsed and written again is recognized, also of a test webhook: %s', (_how, received) => {
    expect(codes({ body: Buffer.from(received) })).toEqual(['body_reserialized', 'body_differs']);
    expect(codes({ body: Buffer.from(received), known: unknown })).toEqual(['body_reserialized', 'body_differs', 'delivery_unknown']);
  });

  test.each<[string, string | Buffer, string]>([
    ['a newline at the end', `${sent}\n`, 'body_spaces_changed'],
    ['CRLF at the end', `${sent}\r\n`, 'body_spaces_changed'],
    ['a byte order mark', `\ufeff${sent}`, 'body_spaces_changed'],
    ['a mark and a newline', `\ufeff${sent}\n`, 'body_spaces_changed'],
    ['Latin-1', Buffer.from(sent, 'latin1'), 'body_characters_changed'],
    ['UTF-8 read as Latin-1', Buffer.from(body.toString('latin1')), 'body_characters_changed'],
    ['UTF-8 read as Windows-1252', new TextDecoder('windows-1252').decode(body), 'body_characters_changed'],
    ['a lost character', sent.replace('é', '\ufffd'), 'body_characters_changed'],
    ['question marks', Buffer.from(sent.replace(/[^ -~]/g, '?')), 'body_characters_changed'],
    ['another status', webhookJson({ ...bill, status: 'PARTIALLY_PAID' }), 'body_of_another_webhook'],
    ['another bill', webhookJson({ ...bill, id: uuid.replace('1', '2') }), 'body_of_another_webhook'],
    ['nothing', '', 'body_not_json'],
    ['an object as text', '[object Object]', 'body_not_json'],
    ['console.log', format(parsed), 'body_not_json'],
    ['Python', "{'bill': {'id': 'x', 'amount': 5000.0}}", 'body_not_json'],
    ['Ruby', '{"bill"=>{"id"=>"x"}}', 'body_not_json'],
    ['Go', 'map[bill:map[amount:5000]]', 'body_not_json'],
    ['a part', sent.slice(0, 50), 'body_not_json'],
  ])('is explained: %s', (_how, received, code) => {
    expect(codes({ body: Buffer.from(received) })).toEqual([code, 'body_differs']);
  });

  test('that is not JSON is recognized if the sent body is not known', () => {
    expect(codes({ body: Buffer.from('[object Object]'), known: unknown })).toEqual(['body_not_json', 'delivery_unknown']);
  });

  test('of which a single byte differs is shown with the position and the text around it', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (position, by) => {
        const bytes = Buffer.from(body);
        bytes[position] = (bytes[position] ?? 0) ^ by;
        expect(explain({ ...right, body: bytes }).at(-1)).toEqual({
          code: 'body_differs',
          data: { position: expect.any(Number), sent: expect.any(String), received: expect.any(String) },
        });
      }),
    );
    expect(explain({ ...right, body: Buffer.from(sent.replace('5000.0', '5000\t')) })).toContainEqual({
      code: 'body_differs',
      data: { position: 89, sent: '…amount":5000.0,"status":"FULLY_P…', received: '…amount":5000\\t,"status":"FULLY_PA…' },
    });
  });
});

describe("the signature that the merchant's code computed", () => {
  const key = Buffer.from(secret.slice(6), 'base64');
  const content = `${id}.${timestamp}.${sent}`;
  const hmac = (by: string | Buffer, text: string, how = 'sha256') => createHmac(how, by).update(text);
  const parsed: unknown = JSON.parse(sent);

  test.each<[string, string, ReturnType<typeof finding>]>([
    ['correct, without the version', signature, finding('computed_right')],
    ['correct', `v1,${signature}`, finding('computed_right')],
    ['secret as text', hmac(secret.slice(6), content).digest('base64'), finding('computed_key_not_decoded')],
    ['prefixed secret as text', hmac(secret, content).digest('base64'), finding('computed_key_not_decoded')],
    ['prefix decoded too', hmac(Buffer.from(secret, 'base64'), content).digest('base64'), finding('computed_key_not_decoded')],
    ['hexadecimal', hmac(key, content).digest('hex'), finding('computed_not_base64')],
    ['capital hexadecimal', hmac(key, content).digest('hex').toUpperCase(), finding('computed_not_base64')],
    ['base64url', hmac(key, content).digest('base64url'), finding('computed_not_base64')],
    ['body alone', hmac(key, sent).digest('base64'), finding('computed_content', { signed: 'body' })],
    [
      'without the id',
      hmac(key, `${timestamp}.${sent}`).digest('base64'),
      finding('computed_content', { signed: 'webhook-timestamp.body' }),
    ],
    ['without the timestamp', hmac(key, `${id}.${sent}`).digest('base64'), finding('computed_content', { signed: 'webhook-id.body' })],
    [
      'swapped',
      hmac(key, `${timestamp}.${id}.${sent}`).digest('base64'),
      finding('computed_content', { signed: 'webhook-timestamp.webhook-id.body' }),
    ],
    [
      'nothing between',
      hmac(key, id + timestamp + sent).digest('base64'),
      finding('computed_content', { signed: 'webhook-idwebhook-timestampbody' }),
    ],
    [
      'JSON.stringify',
      hmac(key, `${id}.${timestamp}.${JSON.stringify(parsed)}`).digest('base64'),
      finding('computed_content', { signed: 'webhook-id.webhook-timestamp.JSON.stringify(…)' }),
    ],
    [
      'the parsed body',
      hmac(key, `${id}.${timestamp}.${parsed}`).digest('base64'),
      finding('computed_content', { signed: 'webhook-id.webhook-timestamp.[object Object]' }),
    ],
    [
      'no body',
      hmac(key, `${id}.${timestamp}.`).digest('base64'),
      finding('computed_content', { signed: 'webhook-id.webhook-timestamp.' }),
    ],
    [
      'a newline',
      hmac(key, `${content}\n`).digest('base64'),
      finding('computed_content', { signed: 'webhook-id.webhook-timestamp.body\\n' }),
    ],
    [
      'GitHub’s way',
      `sha256=${hmac(secret, sent).digest('hex')}`,
      [...finding('computed_key_not_decoded'), ...finding('computed_content', { signed: 'body' }), ...finding('computed_not_base64')],
    ],
    ['nonsense', 'true', finding('computed_unreadable')],
    ['SHA-1', hmac(key, content, 'sha1').digest('base64'), finding('computed_unreadable')],
    ['SHA-512', hmac(key, content, 'sha512').digest('hex'), finding('computed_unreadable')],
    ['nothing', ' ', []],
  ])('is explained: %s', (_how, computed, expected) => {
    expect(explain({ ...right, computed })).toEqual([...expected, ...finding('signature_right')]);
  });

  test('is compared with the expected one if nothing explains it', () => {
    const computed = hmac('x', content).digest('base64');
    expect(explain({ ...right, computed })).toEqual([
      { code: 'computed_differs', data: { expected: signature, received: computed } },
      { code: 'signature_right', data: {} },
    ]);
  });

  test('is not a mistake if it was computed correctly over a changed body', () => {
    const changed = JSON.stringify(parsed);
    const computed = hmac(key, `${id}.${timestamp}.${changed}`).digest('base64');
    expect(codes({ body: Buffer.from(changed), computed })).toEqual(['body_reserialized', 'body_differs']);
  });
});

describe('an explanation', () => {
  test('exists for any input of limited size', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string(), fc.string(), (anything, headers, text, computed) => {
        expect(explain({ body: anything, headers, secret: text, computed, now, known }).length).toBeGreaterThan(0);
      }),
    );
    expect(codes({ body: Buffer.alloc(8 * 1024 + 1) })).toEqual(['too_large']);
    expect(codes({ headers: 'x'.repeat(8 * 1024 + 1) })).toEqual(['too_large']);
    expect(codes({ body: Buffer.from('['.repeat(8_000)), computed: signature })).toContain('body_not_json');
    const deep = Buffer.from('['.repeat(4_000) + ']'.repeat(4_000));
    expect(codes({ body: deep, computed: signature, known: unknown })).toContain('signature_differs');
    expect(codes({ body: Buffer.from(sent.replace('5000.0', '1e308')) })).toContain('body_differs');
  });

  test('is available in both languages and never contains a secret', () => {
    const inputs: Partial<ExplainInput>[] = [
      { secret: secretOf('wrong'), body: Buffer.from('{}') },
      { secret: other.secret, headers: lines({ ...signed, 'webhook-timestamp': 'x' }) },
      { known: { ...known, secrets: [{ secret, problems: finding('secret_old') }] }, computed: 'x' },
      { body: Buffer.from(JSON.stringify(JSON.parse(sent))), computed: createHmac('sha256', 'x').digest('hex') },
      { headers: lines({ ...signed, 'webhook-signature': `v1,${'A'.repeat(43)}=` }), now: addMs(now, 10 * MINUTE_MS) },
    ];
    const secrets = [secret, other.secret, secretOf('wrong')].flatMap((text) => [text, text.slice(6)]);
    for (const input of inputs) {
      const found = explain({ ...right, ...input });
      for (const one of found) {
        const texts = [describeFinding('en', one), describeFinding('sw', one), JSON.stringify(one)];
        for (const text of texts) {
          expect(text).not.toContain('SignatureFinding');
          expect(secrets.filter((name) => text.includes(name))).toEqual([]);
        }
      }
    }
  });
});
