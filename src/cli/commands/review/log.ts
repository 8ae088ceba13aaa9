import { type ReviewLogResult, reviewLog } from '../../../app/commands/review/log.ts';
import { dateTime, type Terminal } from '../../../io/ui/index.ts';
import type { ReviewDecision } from '../../../lib/actions/review-record.ts';
import type { Call } from '../../call.ts';
import { decisionText } from './explain.ts';

type Options = {
  readonly last: number;
  readonly decision?: ReviewDecision;
  readonly iteration?: number;
  readonly interactive?: true;
};

/** `ralph review log` */
export async function run(call: Call, options: Options) {
  const { last, decision = null, iteration = null, interactive = false } = options;
  await call.print(await reviewLog({ ...call, last, decision, iteration, interactive }), reviewLogText);
}

/** A line for each review, and why where it wasn't simply allowed. */
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
