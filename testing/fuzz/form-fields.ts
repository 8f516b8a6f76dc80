import { randomUUID } from 'node:crypto';
import { FILE_MAX_BYTES } from '@/lib/backoffice/import/import-file';
import { addressOf } from '../surface/addresses';
import { type GuestForm, listGuestForms } from '../surface/guest-forms';
import { parametersOf } from '../surface/parameters';
import { plausibleValues } from '../surface/values';
import { inQuery, MULTIPART, multipart, partOf, plain, URLENCODED, urlencoded } from './encodings';
import type { Field, HttpRequest, Kind } from './field';
import type { Stage } from './stage';

/** The form fields of routes, by route. Uploaded files are not included, because they are large by design. */
export const FORM_FIELDS: Readonly<Record<string, (stage: Stage) => Field[]>> = {
  'pay/direct.tsx': payFields,
  'phone/[[...path]]/direct.tsx': phoneFields,
  ...Object.fromEntries(listGuestForms().map((form) => [form.file, (stage: Stage) => guestFields(form, stage)])),
  'preferences/route.ts': (stage) =>
    formFields(namesOf('preferences/route.ts'), { kind: 'preferences form', path: '/preferences', form: {}, stage }),
  'api/auth/[...nextauth]/route.ts': signInFields,
  '(dashboard)/m/[merchant]/[environment]/bills/import/upload/route.ts': uploadFields,
  '(dashboard)/m/[merchant]/[environment]/settings/logo/route.ts': logoFields,
  '(dashboard)/m/[merchant]/[environment]/notifications/data/route.ts': (stage) =>
    scriptFields(stage, `/m/${stage.merchant.slug}/sandbox/notifications/data`, ['until']),
  '(dashboard)/m/[merchant]/[environment]/notifications/push/route.ts': (stage) =>
    scriptFields(stage, `/m/${stage.merchant.slug}/sandbox/notifications/push`, ['endpoint', 'on']),
  'push/news/route.ts': (stage) => scriptFields(stage, '/push/news', ['endpoint']),
};

const namesOf = (file: string) => parametersOf(file).map(({ name }) => name);

interface Form {
  readonly kind: Kind;
  readonly path: string;
  /** The values of all fields of the form. A request replaces the value of the field that it tests. */
  readonly form: Readonly<Record<string, string>>;
  readonly stage: Stage;
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly environment?: 'live' | 'sandbox';
}

function formFields(names: readonly string[], { form, ...to }: Form): Field[] {
  return names.map((name, at) => ({
    name: `${to.path} ${name}`,
    kind: to.kind,
    encode: inQuery,
    again: `&${name}=`,
    ...(at === 0 && { other: (n: number) => `&a${n}=b` }),
    request: (encoded) => post(to, urlencoded([...Object.entries(form).filter(([other]) => other !== name), [name, encoded]]), URLENCODED),
    control: () => post(to, urlencoded(Object.entries(form)), URLENCODED),
  }));
}

/**
 * The fields of forms that our own scripts send for a member. They have no `control` request (see `Field`), because a `control` request
 * must succeed, and most texts are refused.
 */
function scriptFields(stage: Stage, path: string, names: readonly string[]): Field[] {
  const form = Object.fromEntries(names.map((name) => [name, 'x']));
  const to = { kind: 'script form', path, form, headers: () => ({ cookie: stage.sessions.owner }), stage } as const;
  return formFields(names, to).map(({ control: _, ...field }) => field);
}

function post(
  { path, stage, headers = () => ({}), environment = 'live' }: Omit<Form, 'form' | 'kind'>,
  body: string,
  type: string,
): HttpRequest {
  const host = `localhost:${stage.ports[environment]}`;
  return {
    method: 'POST',
    path,
    environment,
    body,
    headers: { host, 'content-type': type, 'sec-fetch-site': 'same-origin', ...headers() },
  };
}

function payFields(stage: Stage): Field[] {
  const form = { bill: stage.bills.paid, lang: 'en', form: 'x'.repeat(22), mobile: '0712345005', amount: '1000' };
  const to = { kind: 'pay form', path: '/pay', environment: 'sandbox', stage } as const;
  const stop = { ...to, form: { ...form, show: 'stop', mobile: '0712345009', reason: 'none' } };
  const ofStop = formFields(['mobile', 'reason', 'bill'], stop).map((field) => ({ ...field, name: `${field.name} (stop)` }));
  const ways = { ...to, form: { bill: stage.bills.paid, lang: 'en', show: 'ways' } };
  const ofWays = formFields(['bill', 'lang', 'show'], ways).map((field) => ({ ...field, name: `${field.name} (ways)` }));
  return [...formFields(namesOf('pay/direct.tsx'), { ...to, form }), ...ofStop, ...ofWays];
}

/**
 * The forms of test phones. The fields of the forms `answer` and `pay` have no `control` request: it would have to succeed, but no phone has
 * a prompt to answer, and no bill has the number.
 */
function phoneFields(stage: Stage): Field[] {
  const mobile = '0754345678';
  const to = { kind: 'phone form', path: `/phone/${stage.phoneToken}?phones=${mobile}`, environment: 'sandbox', stage } as const;
  const answer = { do: 'answer', reference: stage.ids.attempt, pin: '1234' };
  const pay = { do: 'pay', mobile, number: '12345678', qr: '', amount: '5000', pin: '1234' };
  const change = { do: 'switch', mobile, power: 'on', money: 'some' };
  const refused = (form: Readonly<Record<string, string>>) =>
    formFields(Object.keys(form), { ...to, form }).map(({ control: _, ...field }) => ({ ...field, name: `${field.name} (${form.do})` }));
  return [...refused(answer), ...refused(pay), ...formFields(Object.keys(change), { ...to, form: change })];
}

function signInFields(stage: Stage): Field[] {
  const { cookie, token } = stage.csrf;
  const to = { kind: 'sign-in form', headers: () => ({ cookie }), stage } as const;
  const form = { csrfToken: token, email: 'nobody@example.com', password: 'a password', callbackUrl: '/', json: 'true' };
  const out = { csrfToken: token, callbackUrl: '/', json: 'true' };
  return [
    // These fields have no `control` request, because a `control` request must succeed, and the password in this form is always refused.
    ...formFields(namesOf('api/auth/[...nextauth]/route.ts'), { ...to, path: '/api/auth/callback/credentials', form }).map(
      ({ control: _, ...field }) => field,
    ),
    ...formFields(Object.keys(out), { ...to, path: '/api/auth/signout', form: out }),
  ];
}

/**
 * The forms of pages for people who are not signed in. A password that equals the account's e-mail address passes all earlier checks and is
 * refused at the very end, so the form changes nothing.
 */
function guestFields({ file, fields }: GuestForm, stage: Stage): Field[] {
  const { merchant, guests, tokens } = stage;
  const deep: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '(auth)/invitation/[token]/direct.tsx': { do: 'accept', password: guests.invited },
    '(auth)/reset/direct.tsx': { token: tokens.reset, password: merchant.email },
    '(auth)/sign-up/finish/direct.tsx': { token: tokens.sign_up, password: guests.signingUp },
  };
  const path = addressOf(file, stage, { 'invitation/[token]': tokens.invitation });
  const form = { ...plausibleValues(fields, stage), ...deep[file] };
  const cookie = file.includes('/code/') ? stage.sessions.waiting : '';
  // These fields have no `control` request, because a `control` request must succeed, and these forms are always refused.
  return formFields(fields, { kind: 'guest form', path, form, headers: () => ({ cookie }), stage }).map(
    ({ control: _, ...field }) => field,
  );
}

function uploadFields(stage: Stage): Field[] {
  const to = { path: `/m/${stage.merchant.slug}/sandbox/bills/import/upload`, headers: () => ({ cookie: stage.sessions.owner }), stage };
  const request = (form: string, file: string) => {
    const parts = [
      ['form', form] as const,
      ['file', 'amount,reference\n500,FUZZED\n', `; filename="${file}"\r\nContent-Type: text/csv`] as const,
    ];
    return post(to, multipart(parts), MULTIPART);
  };
  const common = { kind: 'import form', large: FILE_MAX_BYTES + 64 * 1024 } as const;
  return [
    {
      ...common,
      name: `${to.path} form`,
      encode: plain,
      again: partOf('form'),
      other: (n) => `${partOf(`a${n}`)}b`,
      request: (encoded) => request(encoded, 'bills.csv'),
      control: () => request(randomUUID(), 'bills.csv'),
    },
    {
      ...common,
      name: `${to.path} the file's name`,
      encode: (text) => text.replace(/["\r\n]/g, '_'),
      request: (encoded) => request(randomUUID(), encoded),
    },
  ];
}

function logoFields(stage: Stage): Field[] {
  const to = { path: `/m/${stage.merchant.slug}/sandbox/settings/logo`, headers: () => ({ cookie: stage.sessions.owner }), stage };
  return [
    {
      name: `${to.path} removeLogo`,
      kind: 'logo form',
      large: 5 * 1024 * 1024,
      encode: plain,
      again: partOf('removeLogo'),
      other: (n) => `${partOf(`a${n}`)}b`,
      request: (encoded) => post(to, multipart([['removeLogo', encoded]]), MULTIPART),
      control: () => post(to, multipart([['removeLogo', 'on']]), MULTIPART),
    },
  ];
}
