import type { Random } from '@/lib/platform/core/clock';
import type { Capabilities, CredentialField, ProviderAdapter } from '@/lib/providers/port/port';
import type { SessionDependencies } from '@/lib/providers/port/sessions';
import type { Matrix } from './scenarios';
import type { SimulationOptions } from './simulation';

/** Everything that the rest of the product knows about a provider. The registry lists the manifests of all providers. */
export interface ProviderManifest {
  /** The provider's name in accounts, callback addresses and commands. */
  readonly name: string;
  /** The provider's name for people, everywhere. */
  readonly label: string;
  readonly createAdapter: (dependencies: SessionDependencies & { readonly random: Random }) => ProviderAdapter;
  readonly capabilities: Capabilities;
  /** The fields of the credentials file. */
  readonly fields: readonly CredentialField[];
  readonly facts: ProviderFacts;
  /**
   * What the adapter reports in each scenario, one table for each mode of the provider's API. Most providers have a single mode, and its
   * name is ''. The contract test checks the tables against the simulator.
   */
  readonly scenarios: Readonly<Record<string, Matrix>>;
  readonly callback: CallbackSample;
  /** Starts the simulator, and loads it only then. Null for M-Pesa, whose simulator has options and a command of its own. */
  readonly startSimulator: ((options: SimulationOptions) => Promise<RunningSimulator>) | null;
}

interface RunningSimulator {
  readonly url: string;
  /** Credentials of an account that uses the simulator. */
  readonly credentials: object;
  /** The requests that the simulator answers, such as `GET /v1/payments/:reference`. */
  readonly routes: readonly string[];
  stop(): Promise<void>;
}

/** A callback with every member and header that the adapter reads, for tests that change each of them. */
interface CallbackSample {
  /** @param ours our reference. @param theirs the provider's own reference; by default one that fits ours. */
  readonly body: (ours: string, theirs?: string) => Readonly<Record<string, unknown>>;
  /** Signatures have the right form but are not valid. */
  readonly headers: (now: Date) => Readonly<Record<string, string>>;
}

/** How well a fact about a provider is known. `certain`: official text and independent use agree. */
type Confidence = 'certain' | 'likely' | 'uncertain';

/** A fact about a provider, for its page in the documentation. Texts are Markdown without headings. */
export interface Fact {
  readonly text: string;
  readonly confidence: Confidence;
  /** Where the fact comes from, such as a public document or the kind of integration that showed it. */
  readonly source: string;
  /** When the source was read or the fact was seen: `2026-11`. */
  readonly date: string;
}

/** A question on which sources contradict each other or say nothing. */
interface OpenQuestion {
  readonly question: string;
  readonly sources: string;
  /** What Bili does until somebody knows the answer, and the setting that changes this behaviour. */
  readonly handling: string;
}

/** What the documentation says about a provider. The tables of numbers, fields and limits come from the code. */
export interface ProviderFacts {
  /** One or two sentences: what the provider is, and who should use it. */
  readonly summary: string;
  /** How an operator gets an account, step by step. */
  readonly account: readonly string[];
  /** What an operator configures at the provider: callback address, allowed addresses, products. */
  readonly configure: readonly string[];
  /** A text that says whether payments can be reversed through Bili, and if so, whether a part of a payment can be reversed. */
  readonly refunds: string;
  /** The cryptography that the provider demands of its clients. */
  readonly cryptography: { readonly algorithm: string; readonly key: string };
  readonly facts: readonly Fact[];
  readonly questions: readonly OpenQuestion[];
}
