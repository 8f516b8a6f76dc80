import { type Command, Option } from 'commander';
import { withRuntime } from '@/lib/cli/deployment/connect';
import { valueOrRefusal } from '@/lib/cli/terminal/operator-access';
import { type JsonFlag, words } from '@/lib/cli/terminal/options';
import { print, printList } from '@/lib/cli/terminal/output';
import { describeReview, reviewView } from '@/lib/cli/views/review-view';
import { type ResolveRefusal, resolveReview } from '@/lib/reviews/resolve-review';
import { listReviews } from '@/lib/reviews/store';

const RESOLVE_REFUSALS: Readonly<Record<ResolveRefusal, string>> = {
  not_found: 'There is no such open review. "bili review list" shows all.',
  attempt_unresolved: 'The attempt is still open. "bili attempt settle" settles it and closes the review.',
  reversal_unresolved: 'The reversal is still open. "bili payment settle-reversal" settles it and closes the review.',
};

export function addReviewCommands(reviews: Command): void {
  reviews
    .command('list')
    .description('list the open reviews with the commands that settle them')
    .option('--all', 'include resolved reviews', false)
    .action(async ({ all, json }: JsonFlag & { all: boolean }) => {
      const found = await withRuntime((runtime) => listReviews(runtime.db, { all }));
      printList(json, found.map(reviewView), found.flatMap(describeReview), 'There are no open reviews.');
    });
  reviews
    .command('resolve')
    .description('close a review; changes no money')
    .argument('<review>', "the review's id")
    .addOption(new Option('--reason <text>', 'what you found out and did, for the records').argParser(words))
    .addOption(new Option('--note <text>', 'old name of --reason').argParser(words).hideHelp())
    .action(async (id: string, { reason, note, json }: JsonFlag & { reason?: string; note?: string }) => {
      const resolution = reason ?? note;
      if (resolution === undefined) reviews.error("error: required option '--reason <text>' not specified");
      const resolved = await withRuntime((runtime) => resolveReview(runtime, { id, resolution, actor: runtime.actor }));
      valueOrRefusal(resolved, RESOLVE_REFUSALS);
      print(json, { id, resolved: true }, [`${id} is resolved.`]);
    });
}
