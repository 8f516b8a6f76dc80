import { redirect } from 'next/navigation';
import { z } from 'zod';
import { openAccount, openVisit, ownHeaders, sessionToken, type Visit, withRefusalLog } from './visit';
import { webRuntime } from './web-runtime';

/** What an action found: errors as texts, by field, or a result. `all` is the error of the whole form. */
interface Found<Field extends string, Done> {
  readonly problems?: Readonly<Partial<Record<Field | 'all', string>>>;
  readonly done?: Done;
}

/** What a form shows: before it is sent, and after its action has answered. After an error, `typed` is what the person typed. */
export interface FormState<Field extends string = string, Done = unknown> extends Found<Field, Done> {
  readonly typed: Readonly<Partial<Record<Field, string>>>;
}

/** A server action that returns the new state of its form. */
export type FormAction<Field extends string = string, Done = unknown> = (
  before: unknown,
  form: FormData,
) => Promise<FormState<Field, Done>>;

/** A server action that answers with a redirect. */
export type PlainAction = (form: FormData) => Promise<void>;

/** The schemas of the fields of a form. Each accepts any list of texts: those that the form has for the field. */
type Fields = Readonly<Record<string, z.ZodType>>;
type Values<F extends Fields> = z.output<z.ZodObject<F>>;
type NameOf<F extends Fields> = keyof F & string;

const TEXT_MAX = 10_000;

/** The texts that a form has for a field. The limit of the size of forms also limits their number. */
export const list = z.array(z.string());

/** A text, empty if the field is missing. It is cut to `max` characters, which are more than any use case accepts. */
export const text = (max = TEXT_MAX) => list.transform(([first = '']) => first.slice(0, max));

/** A text, null if the field is missing. */
export const optional = list.transform(([first]) => first?.slice(0, TEXT_MAX) ?? null);

/** A text that is never sent back, for example a password. */
export const secret = list.transform(([first]) => ({ text: first ?? '', sent: first !== undefined }));

/** Whether the form has the field, for example because its checkbox is checked. */
export const present = list.transform((values) => values.length > 0);

/** All texts of a field as one text. */
export const joined = (separator: string) => list.transform((values) => values.join(separator));

/** Returns the same schema for several fields. */
export function each<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema): Readonly<Record<Name, Schema>>;
export function each(names: readonly string[], schema: z.ZodType) {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** Returns a function that reads the fields of a form. */
function reader<F extends Fields>(fields: F): (form: FormData) => Values<F> {
  const schema = z.object(fields);
  const textsOf = (form: FormData, name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  return (form) => schema.parse(Object.fromEntries(Object.keys(fields).map((name) => [name, textsOf(form, name)])));
}

/** Checks the access of the sender of a form, and returns the context of its action. */
type Open<Context, Given> = (values: Given, form: FormData) => Promise<Context>;

/** The path to redirect to, or what the form shows. `typed` has values to show instead of the typed ones. */
type Answer<Field extends string, Done> = string | (Found<Field, Done> & { readonly typed?: Readonly<Partial<Record<Field, string>>> });

/**
 * Returns the server action of a form that shows errors or a result. A file with server actions exports it.
 * @param fields also what the fuzzer fills in (testing/surface/actions.ts)
 * @param run calls the use case, which checks the permission
 */
export function formAction<Context, F extends Fields, Done>(
  open: Open<Context, NoInfer<Values<F>>>,
  fields: F,
  run: (context: Context, values: Values<F>) => Promise<Answer<NameOf<F>, Done>>,
): FormAction<NameOf<F>, Done> {
  const read = reader(fields);
  return async (_before, form) => {
    const values = read(form);
    const answer = await run(await open(values, form), values);
    if (typeof answer === 'string') redirect(answer);
    return { ...answer, typed: { ...shown<F>(values), ...answer.typed } };
  };
}

/** Like formAction, for a form that is always answered with a redirect to the path that `run` returns. */
export function plainAction<Context, F extends Fields>(
  open: Open<Context, NoInfer<Values<F>>>,
  fields: F,
  run: (context: Context, values: Values<F>) => Promise<string>,
): PlainAction {
  const read = reader(fields);
  return async (form) => {
    const values = read(form);
    redirect(await run(await open(values, form), values));
  };
}

/** Returns the values as the fields of a form show them. Values that are no texts, for example secrets, are empty. */
function shown<F extends Fields>(values: Values<F>): Readonly<Record<NameOf<F>, string>>;
function shown(values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

interface MerchantContext extends Visit {
  /** Returns the path of the action's page with a query. */
  readonly back: (query: string) => string;
}

const place = reader({ merchant: text(), environment: text() });

/**
 * For an action of a merchant's page, which must come from one of our own pages. The form names the merchant and environment.
 * @param page the path below the environment, to return to after signing in.
 */
export function ofMerchant<Given>(page: string | ((values: Given) => string)): Open<MerchantContext, Given> {
  return async (values, form) => {
    const sent = await ownHeaders();
    const own = typeof page === 'string' ? page : page(values);
    const visit = await openVisit(place(form), own, { sent: true });
    return { ...visit, access: withRefusalLog(visit.runtime, visit.access, sent), back: (query) => visit.path(`${own}?${query}`) };
  };
}

/** For an action of a person's own account, which must come from one of our own pages. @param page the path to return to after signing in. */
export function ofAccount(page: `/account${string}`) {
  return async () => {
    await ownHeaders();
    return openAccount(page, { sent: true });
  };
}

/** For an action that needs no session. It must come from one of our own pages. */
export async function ofGuest() {
  const sent = await ownHeaders();
  const runtime = webRuntime();
  return { runtime, session: await sessionToken(runtime), address: runtime.addressOf(sent) };
}
