import type { PromptRequest, RawAnswer } from '@/lib/providers/port/port';
import { namesCause, readStatusAnswer } from './read-status';

interface Search {
  /** The provider account and the network. */
  readonly key: string;
  /** The values of the parameter `operator` to try, in this order. */
  readonly words: readonly string[];
  readonly prompt: PromptRequest;
  readonly ask: (operator: string) => Promise<RawAnswer>;
}

/**
 * Creates a search for a payment. It tries the possible values of AzamPay's parameter `operator`, the name of the mobile network. AzamPay
 * does not document its answer to a wrong name: the answer may say that the payment failed, was reversed or is pending. So after such an answer the
 * search tries the next name, unless the name is in `proven` or is the only one. A failure is final if the name is in `proven`, is the only
 * one, or has found a payment before. A failure with a cause that only the network knows is final, too. Any other failure decides nothing.
 * The search returns null if there are no names.
 */
export function createOperatorSearch(): (search: Search) => Promise<RawAnswer | null> {
  /** The name with which a payment was last reported as paid, by key. It is tried first, and a failure under it is final. */
  const proven = new Map<string, string>();
  /** The names that have found a payment. Each element is the key of a search, a space and the name. */
  const finders = new Set<string>();

  return async ({ key, words, prompt, ask }) => {
    const first = words.filter((word) => word === proven.get(key));
    let best: RawAnswer | null = null;
    let bestRank = -1;
    for (const operator of new Set([...first, ...words])) {
      const finder = `${key} ${operator}`;
      const answer = await ask(operator);
      const { kind } = readStatusAnswer(answer, prompt);
      if (answer.lost || answer.status === 401 || answer.status === 429) return answer;
      if (kind === 'paid') proven.set(key, operator);
      const isDecided = kind === 'failed' || kind === 'expired' || kind === 'reversed';
      const hasCause = isDecided && namesCause(answer);
      if (kind === 'paid' || kind === 'pending' || hasCause) finders.add(finder);
      const isCertain = words.length === 1 || operator === proven.get(key);
      if (kind === 'paid' || hasCause || (isCertain && (kind === 'pending' || isDecided))) return answer;
      const isGuess = isDecided && !finders.has(finder);
      const rank = rankOf(kind, { isGuess, isServerError: (answer.status ?? 0) >= 500 });
      if (rank > bestRank) [best, bestRank] = [isGuess ? asUnknown(answer, operator) : answer, rank];
    }
    return best;
  };
}

/** Returns how informative an answer is. A pending payment ranks above a failure: after "pending" Bili waits, a failure would be final. */
function rankOf(kind: string, { isGuess, isServerError }: { readonly isGuess: boolean; readonly isServerError: boolean }): number {
  if (kind === 'pending') return 4;
  if (kind === 'failed' || kind === 'expired' || kind === 'reversed') return isGuess ? 2 : 3;
  return isServerError ? 0 : 1;
}

/** Marks a failure as an answer that decides nothing. The text of `error` is stored with the answer. */
function asUnknown(answer: RawAnswer, operator: string): RawAnswer {
  return {
    ...answer,
    lost: 'unknown',
    error: `a failure under the operator "${operator}", which has not found a payment yet, is not final`,
  };
}
