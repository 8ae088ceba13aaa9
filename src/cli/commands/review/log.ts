import { type Command, Option } from 'commander';
import { REVIEW_DECISIONS } from 'ralph-actions/forms/decisions';
import type { ReviewDecision } from 'ralph-actions/forms/record';
import type { ReviewLogResult } from '../../../app/commands/review/log.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { dateTime } from '../../../tell/index.ts';
import { actionOf, type Call, type Examples, wholeNumber } from '../../call.ts';
import { decisionText } from './explain.ts';

export const examples: Examples = {
  'review log': ['review log --decision block', 'review log --last 100 --json'],
};

export function define(review: Command): void {
  review
    .command('log')
    .option('--last <n>', 'the newest n (20)', wholeNumber, 20)
    .addOption(
      new Option('--decision <decision>', 'only those with this decision').choices([...REVIEW_DECISIONS]),
    )
    .option('--iteration <n>', 'only those of this iteration', wholeNumber)
    .option('--interactive', 'those of agents that you use yourself (ralph review hook)')
    .description('Show what was reviewed')
    .action(actionOf(run, false));
}

type Options = {
  readonly last: number;
  readonly decision?: ReviewDecision;
  readonly iteration?: number;
  readonly interactive?: true;
};

export async function run(call: Call, options: Options) {
  const { reviewLog } = await import('../../../app/commands/review/log.ts');
  const { last, decision = null, iteration = null, interactive = false } = options;
  await call.print(await reviewLog({ ...call, last, decision, iteration, interactive }), reviewLogText);
}

export function reviewLogText({ reviews }: ReviewLogResult, terminal: Terminal): string {
  const { para, style } = terminal;
  if (reviews.length === 0) return 'No reviews.';
  return reviews
    .flatMap((review) => {
      const { id, at, agent, mode, decision, answer, action, reason, severity } = review;
      const grave = severity === 'critical' ? ` ${style.red('critical')}` : '';
      const how = mode === 'hook' ? '' : ` (${mode === 'detect' ? 'already started' : 'reviewed beside it'})`;
      const other = answer === decision ? '' : `, answered: ${answer}`;
      const head = `${style.dim(`${id} ${dateTime(at)} ${agent}`)} ${decisionText(decision, terminal)}${other}${grave}${how}`;
      return [head, para(action, '    '), ...(reason === '' ? [] : [style.dim(para(reason, '      '))])];
    })
    .join('\n');
}
