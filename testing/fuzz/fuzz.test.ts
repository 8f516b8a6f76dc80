import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { cpuMs } from '@/testing/process-cpu';
import { testRuntime } from '@/testing/runtime';
import { listRouteFiles } from '@/testing/surface/route-files';
import { testWebProcess } from '@/testing/web-process';
import { actionFields, signedFields } from './action-fields';
import { addressFields } from './address-fields';
import { JSON_FIELDS } from './api-fields';
import type { Field } from './field';
import { FORM_FIELDS } from './form-fields';
import { headerFields } from './header-fields';
import { Fuzzer } from './measure';
import { type Stage, setStage } from './stage';

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Bili <bili@example.com>', SIGN_UP: 'open' };
const PROXY = { TRUSTED_PROXIES: '127.0.0.1,::1' };
/** Routes that accept POST, or any method, but read no body. The value says why. */
const WITHOUT_BODY: Readonly<Record<string, string>> = {
  '(dashboard)/m/[merchant]/[environment]/webhooks/tests/check/route.ts': 'starts a check, of what the database has',
  'api/v1/[[...path]]/direct.ts': 'is gone',
  'api/v2/[[...path]]/direct.ts': 'is gone',
  'api/v2/bills/[id]/direct.ts': 'is read only',
  'api/v2/shift/direct.ts': 'is read only',
  'api/v3/[[...path]]/direct.ts': 'is unknown',
  'api/v3/bills/[id]/attempts/direct.ts': 'is read only',
  'api/v3/bills/[id]/events/direct.ts': 'is read only',
  'api/v3/bills/[id]/direct.ts': 'is read only',
  'api/v3/bills/direct.ts': 'is read only',
  'api/v3/bills/[id]/instruments/direct.ts': 'reads no body',
  'api/v3/events/direct.ts': 'is read only',
  'api/v3/networks/direct.ts': 'is read only',
  'api/v3/openapi.json/direct.ts': 'is read only',
  '(dashboard)/m/[merchant]/[environment]/keys/new/route.ts': 'needs a session, and is tested with the documentation',
  '(auth)/no-merchant/direct.tsx': 'is read only',
  '(auth)/not-found/direct.tsx': 'is read only',
  '(auth)/sign-in/direct.tsx': 'is read only, its form is sent to next-auth',
  '(auth)/sign-out/direct.tsx': 'is read only, its form is sent to next-auth',
  'docs/[[...path]]/direct.ts': 'is read only',
  'form-refused/direct.tsx': 'is read only',
  'llms.txt/direct.ts': 'is read only',
  'healthz/direct.ts': 'is read only',
  'p/[[...path]]/direct.ts': 'is read only',
  'pay/logo/[[...path]]/direct.ts': 'is read only',
  'pay/picture/[[...path]]/direct.ts': 'is read only',
  'readyz/direct.ts': 'is read only',
  'direct.tsx': 'is read only',
  'verify/direct.tsx': 'is read only',
};

test('every route is fuzzed, or reads no body', () => {
  // The listener gives requests of every method to a route.
  const takesBody = (file: string) =>
    /\bdirect\.tsx?$/.test(file) || /\bPOST\b/.test(readFileSync(join(PROJECT_ROOT, 'app', file), 'utf8'));
  const routes = listRouteFiles().filter((file) => !file.endsWith('page.tsx') && takesBody(file));
  const known = [FORM_FIELDS, JSON_FIELDS, WITHOUT_BODY].flatMap((table) => Object.keys(table));
  expect(known.sort()).toEqual(routes);
});

function bodyFields(stage: Stage): Field[] {
  return [...Object.values(FORM_FIELDS), ...Object.values(JSON_FIELDS)].flatMap((fieldsOf) => fieldsOf(stage));
}

interface Group {
  readonly name: string;
  readonly fields: (stage: Stage) => Field[];
  /** Whether each run tests all fields of the group. */
  readonly whole?: true;
}

const GROUPS: readonly Group[] = [
  { name: 'server actions', fields: actionFields },
  { name: 'addresses', fields: addressFields },
  { name: 'forms and bodies of routes', fields: bodyFields },
  { name: 'headers and cookies', fields: headerFields },
  { name: 'signed bodies', fields: signedFields, whole: true },
];

/**
 * The share of the fields that one run tests. Each run starts at another field, so that many runs cover all fields. `npm run test:fuzz`
 * tests all fields in one run.
 */
const SHARE = process.env.FUZZ === 'all' ? 1 : 1 / 20;

describe('the fields of', { tags: ['full'] }, () => {
  const runtime = testRuntime(MAIL);
  const web = testWebProcess(() => runtime().settings.DATABASE_URL, { ...MAIL, ...PROXY, REQUIRE_SECOND_FACTOR: 'off' });

  test.for(GROUPS)(
    '$name: no field costs more than 500 ms of the processor, or grows as the square of its length',
    { timeout: SHARE === 1 ? 900_000 : 300_000 },
    async ({ fields: fieldsOf, whole }, { skip }) => {
      skip(cpuMs(web().pid) === null, 'this system does not say how much of the processor a process has used');
      const stage = await setStage(runtime(), web());
      const fuzzer = new Fuzzer(stage, web().pid);
      const all = fieldsOf(stage);
      const first = Math.floor(Math.random() * all.length);
      const fields = [...all.slice(first), ...all.slice(0, first)].slice(0, Math.ceil(all.length * (whole ? 1 : SHARE)));
      const found: string[] = [];
      for (const field of fields) found.push(...(await fuzzer.fuzz(field)));
      // These requests come last, because they succeed, and some delete what other requests need.
      for (const field of fields) found.push(...(await fuzzer.check(field)));
      expect(found).toEqual([]);
      expect(all.length).toBeGreaterThan(whole ? 3 : 20);
    },
  );
});
