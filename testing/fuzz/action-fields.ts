import { MAX_BYTES } from '@/lib/backoffice/signature-explainer/explain-rules';
import { formatSecret, messageId, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { type Action, isReadWhole, listActions } from '../surface/actions';
import { addressOf } from '../surface/addresses';
import { plausibleForm } from '../surface/values';
import { MULTIPART, multipart, type Pairs, partOf, plain } from './encodings';
import type { Field, HttpRequest } from './field';
import type { Shape } from './shapes';
import type { Stage } from './stage';

/** The fields that `ofMerchant` reads for every action on the pages of a merchant. */
const SHARED = new Set(['merchant', 'environment']);

/** Returns the fields of all server actions. Fields that all actions read in the same way are included once. */
export function actionFields(stage: Stage): Field[] {
  const actions = listActions();
  const shared = new Set<string>();
  const fields = actions.flatMap((action) => {
    const form = { ...plausibleForm(action, stage), ...deepValues(action, stage) };
    const own = Object.keys(form).filter((name) => !shared.has(name));
    for (const name of own) if (SHARED.has(name)) shared.add(name);
    return own.map((name, at) => formField(action, { name, form, first: at === 0 }, stage));
  });
  const [stateful] = actions.filter(({ takesState }) => takesState);
  return stateful ? [...fields, ...protocolFields(stateful, stage)] : fields;
}

/**
 * Returns values for some fields of an action, because the action would stop early with the values of `plausibleForm`. A password that
 * equals the account's e-mail address passes all earlier checks and is refused at the very end, so the action changes nothing.
 */
function deepValues({ name }: Action, { merchant, tokens, password, view, rowsHash, bills }: Stage): Readonly<Record<string, string>> {
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    changePasswordAction: { password: merchant.email },
    closeAction: { bill: bills.closed },
    closeBillsAction: { bill: bills.closed },
    confirmAction: { password },
    deleteViewAction: { view },
    finishEmailAction: { token: tokens.email },
    renameViewAction: { view },
    reopenAction: { bill: bills.closed },
    runImportAction: { rows: rowsHash },
  };
  return values[name.split('#')[1] ?? ''] ?? {};
}

const SECRET = formatSecret(Buffer.alloc(32, 1));

/** Bodies whose comparison is expensive if each token, or each mark, is compared with each other one. */
const SIGNED_SHAPES: readonly Shape[] = [
  { name: 'a repeated member of texts', write: (size) => repeatedMember('"é"', size) },
  { name: 'a repeated member of distinct numbers', write: (size) => repeatedMember((n) => `${n}.0,"é"`, size) },
  { name: 'combining marks in both orders', write: (size) => `{"x":"a${'\u0301\u0316'.repeat(Math.max(0, size / 4 - 4))}"}` },
  { name: 'letters with two marks', write: (size) => `{"x":"${'ệ'.repeat(Math.max(0, size / 3 - 4))}"}` },
];

/**
 * Returns the fields of a body that a member pastes with a secret. The signature is that of the body, or that of another one, so that the
 * action compares the body with the one that was sent.
 */
export function signedFields(stage: Stage): Field[] {
  const action = listActions().find(({ name }) => name.endsWith('#explainAction'));
  if (!action) throw new Error('an action explains signatures');
  const field = (name: string, signed: (body: string) => string, computed: string): Field => ({
    name: `explainAction with ${name}`,
    kind: 'form',
    encode: plain,
    own: { shapes: SIGNED_SHAPES, most: MAX_BYTES },
    request: (body) => {
      const about = { id: messageId(stage.ids.delivery), at: new Date(), body: Buffer.from(signed(body)) };
      const headers = JSON.stringify(signatureHeaders([SECRET], about));
      return sendForm(action, { ...plausibleForm(action, stage), body, headers, secret: SECRET, computed }, stage);
    },
  });
  const computed = Buffer.alloc(32).toString('base64');
  return [
    field('a signed body', (body) => body, ''),
    field('a signed body and a computed signature', (body) => body, computed),
    field('another body', () => '{}', ''),
    field('another body and a computed signature', () => '{}', computed),
  ];
}

function repeatedMember(item: string | ((n: number) => string), size: number): string {
  const [items, end]: [string[], string] = [[], '"a"],"x":1}'];
  for (let n = 0, length = 6 + end.length; ; n += 1) {
    const next = `${typeof item === 'string' ? item : item(n)},`;
    length += Buffer.byteLength(next);
    if (length > size) return `{"x":[${items.join('')}${end}`;
    items.push(next);
  }
}

interface InForm {
  readonly name: string;
  readonly form: Readonly<Record<string, string>>;
  readonly first: boolean;
}

function formField(action: Action, { name, form, first }: InForm, stage: Stage): Field {
  const prefix = action.takesState ? '_1_' : '';
  return {
    name: `${action.name} ${name}`,
    kind: 'form',
    encode: plain,
    ...((first || isReadWhole(action, name)) && { again: partOf(prefix + name) }),
    ...(first && { other: (n: number) => `${partOf(`${prefix}a${n}`)}b` }),
    ...(first && { control: () => sendForm(action, form, stage) }),
    request: (encoded) => sendForm(action, { ...form, [name]: encoded }, stage),
  };
}

function sendForm(action: Action, values: Readonly<Record<string, string>>, stage: Stage): HttpRequest {
  const fields = Object.entries(values).map(([field, value]) => [action.takesState ? `_1_${field}` : field, value] as const);
  // The field `0` comes last, as in React's own requests. It refers to the other fields, which must come first.
  return post(action, stage, action.takesState ? [...fields, ['0', '[null,"$K1"]']] : fields);
}

/** Returns the fields that React and Next.js read before they call an action. These fields are the same for all actions. */
function protocolFields(action: Action, stage: Stage): Field[] {
  const entries = Array.from({ length: 400 }, (_, n) => [`_1_a${n}`, 'b'] as const);
  const common = {
    kind: 'form',
    request: (encoded: string) =>
      post(action, stage, [
        ['_1_a', 'b'],
        ['0', encoded],
      ]),
  } as const;
  return [
    { ...common, name: 'the arguments of an action', encode: plain, json: true },
    { ...common, name: 'a text among the arguments of an action', encode: (text) => JSON.stringify([text]) },
    {
      name: 'forms among the arguments of an action',
      kind: 'form',
      encode: (text) => `[${'"$K1",'.repeat(text.length)}null]`,
      request: (encoded) => post(action, stage, [...entries, ['0', encoded]]),
    },
  ];
}

/**
 * Returns a request that sends a form to an action. If the action is used with React's `useActionState`, the request is that of a browser
 * with scripts, otherwise that of a browser without scripts.
 */
export function post(action: Action, stage: Stage, fields: Pairs): HttpRequest {
  const origin = `localhost:${stage.ports.live}`;
  return {
    method: 'POST',
    path: addressOf(action.page, stage, { 'invitation/[token]': stage.tokens.invitation }),
    headers: {
      host: origin,
      origin: `http://${origin}`,
      'sec-fetch-site': 'same-origin',
      'content-type': MULTIPART,
      cookie: stage.sessions.owner,
      ...(action.takesState && { 'next-action': action.id }),
    },
    // A browser without scripts gets only a redirect as the answer. For a browser with scripts, Next.js also renders the page to which the
    // action redirects.
    body: multipart(action.takesState ? fields : [[`$ACTION_ID_${action.id}`, ''], ...fields]),
    renews: action.name.endsWith('#confirmAction'),
  };
}
