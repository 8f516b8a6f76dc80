import { createHash, createHmac } from 'node:crypto';
import { format } from 'node:util';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookJson } from '@/lib/bills/bill-json';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { ENGLISH as en } from '@/lib/i18n/messages';
import { formatSecret, messageId, signatureHeaders } from '@/lib/webhooks/rules';
import { describeFinding } from './describe-finding';
import { type ExplainInput, explain } from './explain-rules';
import type { Known } from './find-match';
import { FINDING_CODES } from './finding';
import type { KnownSecret } from './secret-findings';

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
const current: KnownSecret = { role: 'current', secret };
const other: KnownSecret = { role: 'other_environment', secret: secretOf('other'), environment: 'live' };
const known: Known = { secrets: [current, other], delivery: { body, attemptTimes: [at] } };

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const signed = signatureHeaders([secret], { id, at, body });
const signature = signed['webhook-signature']?.slice('v1,'.length) ?? '';
const right: ExplainInput = { body, headers: lines(signed), secret, now };
const codes = (input: Partial<ExplainInput>) => explain({ ...right, ...input }).map(({ code }) => code);
const verdict = (input: Partial<ExplainInput>) => codes(input)[0];

describe('a correct signature', () => {
  test('is confirmed', () => {
    expect(codes({})).toEqual(['signature_right']);
    expect(codes({ known })).toEqual(['signature_right']);
  });

  test('is confirmed for any body and secret, in agreement with an independent library', () => {
    const present = new Date();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.uuid(), (text, bytes, uuidOf) => {
        const ours = formatSecret(bytes);
        const headers = signatureHeaders([ours], { id: messageId(uuidOf), at: present, body: Buffer.from(text) });
        expect(explain({ body: Buffer.from(text), headers: lines(headers), secret: ours, now: present })).toMatchObject([
          { code: 'signature_right' },
        ]);
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
        expect(explain({ ...input, headers: lines(input.headers), now: present })[0]?.code).not.toBe('signature_right');
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
    [lines({ ...signed, 'webhook-timestamp': `${timestamp}123` }), ['timestamp_in_milliseconds']],
    [lines({ ...signed, 'webhook-signature': 'v1' }), ['signature_malformed']],
    [lines({ ...signed, 'webhook-signature': signature }), ['signature_malformed']],
    [lines({ ...signed, 'webhook-signature': `v1,${signature.slice(0, 30)}` }), ['signature_cut']],
  ])('%j give %j', (headers, expected) => {
    expect(codes({ headers })).toEqual(expected);
  });

  test('of different attempts, changed headers and headers of other senders are recognized', () => {
    const later = addMs(at, 5 * SECOND_MS);
    const retried: Known = { ...known, delivery: { body, attemptTimes: [at, later] } };
    const mixed = lines({ ...signed, 'webhook-timestamp': String(later.getTime() / SECOND_MS) });
    expect(codes({ headers: mixed, known: retried })).toEqual(['headers_of_different_tries']);
    const old = lines({
      ...signed,
      'webhook-timestamp': String(at.getTime() / SECOND_MS - 3600),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    });
    expect(codes({ headers: old, known })).toEqual(['timestamp_not_ours']);
    expect(codes({ headers: lines({ ...signed, 'webhook-signature': `v1,${'A'.repeat(43)}=` }), known })).toEqual(['signature_not_ours']);
    expect(codes({ headers: lines({ ...signed, 'webhook-id': 'evt_1' }) })).toEqual(['nothing_fits', 'id_not_ours']);
    expect(codes({ known: { ...known, delivery: null } })).toEqual(['signature_right', 'delivery_unknown']);
  });
});

describe('the secret', () => {
  test.each([
    ['', 'secret_empty'],
    ['  \n', 'secret_empty'],
    ['bili_sandbox_secret_0123456789', 'secret_is_api_key'],
    [secret.slice(0, -10), 'secret_malformed'],
    ['whsec_not base64!', 'secret_malformed'],
    ['x'.repeat(5000), 'secret_malformed'],
    [`${secret}\n`, 'secret_padded'],
    [`"${secret}"`, 'secret_padded'],
    [`WEBHOOK_SECRET=${secret}`, 'secret_padded'],
  ])('%j gives %s', (pasted, code) => {
    expect(codes({ secret: pasted })).toEqual([code]);
    expect(codes({ secret: pasted, known })).toEqual([code]);
  });

  test('is accepted without its prefix, as in the independent library', () => {
    expect(codes({ secret: secret.slice(6) })).toEqual(['signature_right', 'secret_prefix_missing']);
  });

  test('is compared with the known secrets', () => {
    const previous = (until: Date): Known => ({
      ...known,
      secrets: [
        { role: 'current', secret: secretOf('new') },
        { role: 'previous', secret, until },
      ],
    });
    const until = addMs(now, DAY_MS);
    expect(explain({ ...right, known: previous(until) })).toEqual([
      { code: 'signature_right', data: {} },
      { code: 'secret_is_previous', data: { until: until.toISOString() } },
    ]);
    expect(codes({ known: previous(addMs(now, -1)) })).toEqual(['secret_retired']);
    expect(codes({ known: { ...known, secrets: [{ role: 'current', secret: secretOf('new') }] } })).toEqual(['secret_retired']);
    expect(codes({ known, secret: secretOf('wrong') })).toEqual(['secret_wrong']);
    expect(codes({ known, secret: other.secret })).toEqual(['secret_of_other_environment']);
    expect(codes({ secret: secretOf('wrong') })).toEqual(['nothing_fits']);
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
  test.each<[string, string | Buffer, string[]]>([
    ['a newline at the end', `${sent}\n`, ['body_padded']],
    ['CRLF at the end', `${sent}\r\n`, ['body_padded']],
    ['a byte order mark', `\ufeff${sent}`, ['body_bom']],
    ['a mark and a newline', `\ufeff${sent}\n`, ['body_bom', 'body_padded']],
    ['Latin-1', Buffer.from(sent, 'latin1'), ['body_not_utf8']],
    ['UTF-8 read as Latin-1', Buffer.from(body.toString('latin1')), ['body_mojibake']],
    ['UTF-8 read as Windows-1252', new TextDecoder('windows-1252').decode(body), ['body_mojibake']],
    ['decomposed', sent.normalize('NFD'), ['body_normalized']],
    ['express.json()', JSON.stringify(parsed), ['body_reserialized', 'body_number_rewritten']],
    ['pretty-printed', JSON.stringify(parsed, null, 2), ['body_reserialized', 'body_number_rewritten', 'body_spaces_changed']],
    [
      'pretty-printed, CRLF',
      JSON.stringify(parsed, null, 2).replaceAll('\n', '\r\n'),
      ['body_reserialized', 'body_number_rewritten', 'body_spaces_changed'],
    ],
    ['json.dumps of Python', python, ['body_reserialized', 'body_spaces_changed', 'body_characters_escaped']],
    ['json_encode of PHP', php, ['body_reserialized', 'body_number_rewritten', 'body_slashes_escaped', 'body_characters_escaped']],
    ['a map of Go', go, ['body_reserialized', 'body_number_rewritten', 'body_keys_reordered']],
    ['express.json() and a newline', `${JSON.stringify(parsed)}\n`, ['body_padded', 'body_reserialized', 'body_number_rewritten']],
  ])('by %s is explained, whether the sent body is known or not', (_how, received, expected) => {
    const input = { body: Buffer.from(received) };
    expect(codes(input).sort()).toEqual([...expected, 'body_differs'].sort());
    expect(codes({ ...input, known }).sort()).toEqual([...expected, 'body_differs'].sort());
  });

  test.each([
    ['', 'body_empty'],
    ['[object Object]', 'body_printed_object'],
    [format(parsed), 'body_printed_object'],
    ["{'bill': {'id': 'x', 'amount': 5000.0}}", 'body_printed_object'],
    ['{"bill"=>{"id"=>"x"}}', 'body_printed_object'],
    ['map[bill:map[amount:5000]]', 'body_printed_object'],
    ['Array', 'body_printed_object'],
  ])('%j gives %s', (received, code) => {
    expect(codes({ body: Buffer.from(received) })).toEqual([code]);
    expect(verdict({ body: Buffer.from(received), known })).toBe(code);
  });

  test.each([
    [webhookJson({ ...bill, status: 'PARTIALLY_PAID' }), ['body_of_another_delivery', 'body_differs']],
    [webhookJson({ ...bill, id: uuid.replace('1', '2') }), ['body_of_another_delivery', 'body_differs']],
    [sent.replace('é', '\ufffd'), ['body_characters_lost', 'body_differs']],
    [webhookJson({ ...bill, amount: 500100n }), ['body_differs']],
  ])('%s is explained if the sent body is known', (received, expected) => {
    expect(codes({ body: Buffer.from(received), known })).toEqual(expected);
    expect(verdict({ body: Buffer.from(received) })).toBe('nothing_fits');
  });

  test('with trimmed values or changed line ends is explained', () => {
    const spaced = webhookJson({ ...bill, reference: ' A ' });
    const delivery = (text: string): Known => ({ ...known, delivery: { body: Buffer.from(text), attemptTimes: [at] } });
    expect(codes({ body: Buffer.from(webhookJson({ ...bill, reference: 'A' })), known: delivery(spaced) })).toEqual([
      'body_values_trimmed',
      'body_differs',
    ]);
    expect(codes({ body: Buffer.from('a\r\nb'), known: delivery('a\nb') })).toEqual(['body_crlf', 'body_differs']);
    expect(codes({ body: Buffer.from('a'), known: delivery('a\n') })).toEqual(['body_trimmed', 'body_differs']);
  });

  test('of which a single byte differs is shown with the position and the text around it', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (position, by) => {
        const bytes = Buffer.from(body);
        bytes[position] = (bytes[position] ?? 0) ^ by;
        expect(explain({ ...right, body: bytes, known })).toContainEqual({
          code: 'body_differs',
          data: { position: position + 1, sent: expect.any(String), received: expect.any(String) },
        });
      }),
    );
    const paid = Buffer.from(sent.replace('5000.0', '5000'));
    expect(explain({ ...right, body: paid })).toContainEqual({
      code: 'body_differs',
      data: { position: 89, sent: '…amount":5000.0,"status":"FULLY_P…', received: '…amount":5000,"status":"FULLY_PAI…' },
    });
  });
});

describe("the signature that the merchant's code computed", () => {
  const key = Buffer.from(secret.slice(6), 'base64');
  const content = `${id}.${timestamp}.${sent}`;
  const hmac = (by: string | Buffer, text: string, how = 'sha256') => createHmac(how, by).update(text);
  const parsed: unknown = JSON.parse(sent);

  test.each<[string, string, string[]]>([
    ['correct, without the version', signature, ['signature_right', 'computed_without_version']],
    ['correct', `v1,${signature}`, ['signature_right', 'computed_right']],
    ['secret as text', hmac(secret.slice(6), content).digest('base64'), ['computed_secret_as_text', 'signature_right']],
    ['prefixed secret as text', hmac(secret, content).digest('base64'), ['computed_prefixed_secret_as_text', 'signature_right']],
    ['prefix decoded too', hmac(Buffer.from(secret, 'base64'), content).digest('base64'), ['computed_prefix_decoded', 'signature_right']],
    ['hexadecimal', hmac(key, content).digest('hex'), ['computed_hex', 'signature_right']],
    ['base64url', hmac(key, content).digest('base64url'), ['computed_base64url', 'signature_right']],
    ['body alone', hmac(key, sent).digest('base64'), ['computed_body_alone', 'signature_right']],
    ['without the id', hmac(key, `${timestamp}.${sent}`).digest('base64'), ['computed_id_missing', 'signature_right']],
    ['without the timestamp', hmac(key, `${id}.${sent}`).digest('base64'), ['computed_timestamp_missing', 'signature_right']],
    ['swapped', hmac(key, `${timestamp}.${id}.${sent}`).digest('base64'), ['computed_parts_swapped', 'signature_right']],
    ['a colon between', hmac(key, `${id}:${timestamp}:${sent}`).digest('base64'), ['computed_separator', 'signature_right']],
    ['nothing between', hmac(key, id + timestamp + sent).digest('base64'), ['computed_separator', 'signature_right']],
    [
      'milliseconds',
      hmac(key, `${id}.${timestamp}000.${sent}`).digest('base64'),
      ['computed_timestamp_in_milliseconds', 'signature_right'],
    ],
    ['SHA-1', hmac(key, content, 'sha1').digest('base64'), ['computed_algorithm', 'signature_right']],
    ['SHA-512 in hexadecimal', hmac(key, content, 'sha512').digest('hex'), ['computed_algorithm', 'computed_hex', 'signature_right']],
    [
      'JSON.stringify',
      hmac(key, `${id}.${timestamp}.${JSON.stringify(parsed)}`).digest('base64'),
      ['computed_body_reserialized', 'signature_right'],
    ],
    ['the parsed body', hmac(key, `${id}.${timestamp}.${parsed}`).digest('base64'), ['computed_body_printed_object', 'signature_right']],
    ['no body', hmac(key, `${id}.${timestamp}.`).digest('base64'), ['computed_body_empty', 'signature_right']],
    ['a newline', hmac(key, `${content}\n`).digest('base64'), ['computed_body_padded', 'signature_right']],
    [
      'GitHub’s way',
      `sha256=${hmac(secret, sent).digest('hex')}`,
      ['computed_prefixed_secret_as_text', 'computed_body_alone', 'computed_hex', 'signature_right'],
    ],
    ['something else', hmac('x', content).digest('base64'), ['signature_right', 'computed_unexplained']],
    ['nonsense', 'true', ['computed_unreadable', 'signature_right']],
    ['nothing', ' ', ['signature_right']],
  ])('is explained: %s', (_how, computed, expected) => {
    expect(codes({ computed })).toEqual(expected);
    expect(codes({ computed, known })).toEqual(expected);
  });

  test('may come from another secret than the pasted one', () => {
    expect(codes({ computed: hmac(Buffer.from(other.secret.slice(6), 'base64'), content).digest('base64'), known })).toEqual([
      'computed_other_secret',
      'signature_right',
    ]);
  });

  test('is consistent if it was computed correctly over a changed body', () => {
    const changed = JSON.stringify(parsed);
    const computed = hmac(key, `${id}.${timestamp}.${changed}`).digest('base64');
    expect(codes({ body: Buffer.from(changed), computed })).toEqual([
      'body_reserialized',
      'body_number_rewritten',
      'body_differs',
      'computed_consistent',
    ]);
  });

  test('may be one of two during an overlap of secrets', () => {
    const both = lines({ ...signed, 'webhook-signature': `${signed['webhook-signature']} v1,${'A'.repeat(43)}=` });
    expect(codes({ headers: both, computed: `v1,${signature}` })).toEqual(['signature_right', 'computed_one_of_several']);
  });
});

describe('an explanation', () => {
  test('has a sentence for each code and no unused sentences', () => {
    expect(Object.keys(en.SignatureFinding).sort()).toEqual([...FINDING_CODES].sort());
  });

  test('exists for any input of limited size', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string(), fc.string(), (anything, headers, text, computed) => {
        expect(explain({ body: anything, headers, secret: text, computed, now, known }).length).toBeGreaterThan(0);
      }),
    );
    expect(codes({ body: Buffer.alloc(8 * 1024 + 1) })).toEqual(['body_too_large']);
    expect(codes({ headers: 'x'.repeat(16_385) })).toEqual(['headers_too_large']);
    expect(codes({ body: Buffer.from('['.repeat(8_000)), computed: signature })).toContain('nothing_fits');
  });

  test('is not searched for in a text with more combining marks in a row than real text has', () => {
    const withMarks = (count: number) => {
      const sentText = sent.replace('Café', `Café${'\u0323\u0307'.repeat(count / 2)}`).normalize('NFC');
      const pasted = Buffer.from(sentText.normalize('NFD'));
      return codes({ body: pasted, headers: lines(signatureHeaders([secret], { id, at, body: Buffer.from(sentText) })) });
    };
    expect(withMarks(10)).toContain('body_normalized');
    expect(withMarks(40)).not.toContain('body_normalized');
  });

  test('is available in both languages and never contains a secret', () => {
    const inputs: Partial<ExplainInput>[] = [
      { known, secret: secretOf('wrong'), body: Buffer.from('{}') },
      { known, secret: other.secret, headers: lines({ ...signed, 'webhook-timestamp': 'x' }) },
      {
        known: { ...known, secrets: [{ role: 'previous', secret, until: addMs(now, DAY_MS) }] },
        now: addMs(now, DAY_MS / 2),
        computed: 'x',
      },
      { secret: `"${secret}"`, body: Buffer.from(JSON.stringify(JSON.parse(sent))), computed: createHmac('sha1', 'x').digest('hex') },
    ];
    const secrets = [secret, other.secret, secretOf('wrong')].flatMap((text) => [text, text.slice(6)]);
    for (const input of inputs) {
      const found = explain({ ...right, ...input });
      for (const finding of found) {
        const texts = [describeFinding('en', finding), describeFinding('sw', finding), JSON.stringify(finding)];
        for (const text of texts) {
          expect(text).not.toContain('SignatureFinding');
          expect(secrets.filter((one) => text.includes(one))).toEqual([]);
        }
      }
    }
  });
});
