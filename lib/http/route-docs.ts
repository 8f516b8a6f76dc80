/** The groups of operations in the API description, in their order. */
export const API_TAGS = {
  Bills: 'Create, find and change bills.',
  History: 'What happened to one bill: its payments, payment requests and events.',
  Events: 'Follow the changes of all bills, for servers that cannot receive webhooks.',
  Networks: 'Whose customers can pay now.',
  Sandbox: 'Control the time of the sandbox.',
  Description: 'This description of the API.',
} as const;

type ApiTag = keyof typeof API_TAGS;

/** One request that succeeds, and its answer. A test sends the request to the product, with the id of the test's own bill in the path. */
interface RouteExample<Answer> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
}

/** What the API description says about a route, besides what its schemas and failures say. */
export interface RouteDocs<Answer = unknown> {
  /** The name of the operation in generated code, in lower camel case. */
  readonly operationId: string;
  readonly tag: ApiTag;
  /** The description of the operation, in Markdown. */
  readonly description: string;
  /** Whether a repetition with the same Idempotency-Key is answered with `Idempotency-Replayed: true`. */
  readonly replays?: boolean;
  readonly example: RouteExample<Answer>;
}
