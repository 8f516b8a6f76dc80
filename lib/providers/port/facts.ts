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
  readonly name: string;
  readonly title: string;
  /** One or two sentences: what the provider is, and who should use it. */
  readonly summary: string;
  /** How an operator gets an account, step by step. */
  readonly account: readonly string[];
  /** What an operator configures at the provider: callback address, allowed addresses, products. */
  readonly configure: readonly string[];
  /** A text that says whether payments can be reversed through Bili, and if so, whether a part of a payment can be reversed. */
  readonly refunds: string;
  readonly facts: readonly Fact[];
  readonly questions: readonly OpenQuestion[];
}
