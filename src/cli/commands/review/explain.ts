import {
  type Explained,
  explainAction,
  explainBatch,
  explainCommand,
} from '../../../app/commands/review/explain.ts';
import { failure } from '../../../app/result.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import type { ReviewDecision } from '../../../lib/actions/review-record.ts';
import { escapeUnseen } from '../../../lib/text.ts';
import type { Call } from '../../call.ts';

type Options = { readonly action?: string; readonly batch?: string };

/** `ralph review explain` */
export async function run(call: Call, command: string | undefined, { action, batch }: Options) {
  const given = [command, action, batch].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'Nothing to explain.' : 'Give one of COMMAND, --action and --batch.';
    await call.print(failure(what, 'ralph review explain --help', 4), () => '');
  } else if (batch !== undefined) await printBatch(call, batch);
  else if (action !== undefined)
    await call.print(await explainAction({ cwd: call.cwd, json: action }), explainedText);
  else await call.print(await explainCommand({ cwd: call.cwd, command: command ?? '' }), explainedText);
}

/** One JSON object a line, whatever `--format` says. */
async function printBatch(call: Call, file: string): Promise<void> {
  const result = await explainBatch({ cwd: call.cwd, file });
  if (!result.ok) {
    await call.print(result, () => '');
    return;
  }
  process.exitCode = result.exitCode;
  for (const analysis of result.data.analyses) {
    process.stdout.write(`${escapeUnseen(JSON.stringify(analysis))}\n`);
  }
}

/** The colour of a decision. */
export function decisionText(decision: ReviewDecision, { style }: Terminal): string {
  const colour = { allow: style.green, warn: style.yellow, modify: style.yellow, block: style.red };
  return colour[decision](decision);
}

/** What was concluded about an action, with all that led to it. */
export function explainedText(data: Explained, terminal: Terminal): string {
  const { para, style } = terminal;
  const { decision, rule, reasons, alternatives, risk, rationality, effects } = data;
  const head = `${decisionText(decision, terminal)}${rule === null ? '' : ` (${rule})`}`;
  const factors = risk.factors.map(({ name, value }) => `${name} ${value > 0 ? '+' : ''}${value}`);
  const parts = Object.entries(rationality.components).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${value}`,
  );
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [style.bold(title), ...items.map((item) => para(item, '  - ', '    '))];
  return [
    head,
    ...reasons.map((reason) => para(reason, '  ')),
    ...list('Instead:', alternatives),
    `${style.bold('Risk:')} ${risk.score} (${risk.severity}), base ${risk.base}${factors.length === 0 ? '' : `; ${factors.join(', ')}`}`,
    para(
      `${rationality.score} (${rationality.level}): ${parts.join(', ')}`,
      `${style.bold('Rationality:')} `,
      '  ',
    ),
    ...list('Effects:', effects),
    ...list(
      'Rules that spoke:',
      data.rules.map((one) => `${one.rule}: ${one.decision}`),
    ),
  ].join('\n');
}
