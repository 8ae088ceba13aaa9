import type { Command } from 'commander';
import type { ReviewDecision } from 'ralph-actions/forms/record';
import { escapeUnseen } from 'ralph-kit/text';
import type { Explained } from '../../../app/commands/review/explain.ts';
import { failure } from '../../../app/result.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../../call.ts';

export const examples: Examples = {
  'review explain': [
    "review explain 'git push --force origin main'",
    `review explain --action '{"tool": "Write", "input": {"file_path": ".env", "content": ""}}'`,
    'review explain --batch commands.jsonl',
  ],
};

export function define(review: Command): void {
  review
    .command('explain')
    .argument('[command]', 'a command line, in quotes')
    .option('--action <json>', 'a tool call instead: {"tool": "Write", "input": {"file_path": "a.ts"}}')
    .option('--batch <file>', 'one {"command": …} a line, one analysis a line; "-" is standard input')
    .summary('Explain the review of an action')
    .description('what a review says of an action: decision, rules, risk, effects')
    .addHelpText(
      'after',
      '\nExit codes: 0 allow, 1 warn, 2 modify, 3 block, 4 error.\nA batch ends with the strictest.',
    )
    .action(actionOf(run, false));
}

type Options = { readonly action?: string; readonly batch?: string };

export async function run(call: Call, command: string | undefined, { action, batch }: Options) {
  const { explainAction, explainCommand } = await import('../../../app/commands/review/explain.ts');
  const given = [command, action, batch].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'Nothing to explain.' : 'Give one of COMMAND, --action and --batch.';
    await call.print(failure(what, 'ralph review explain --help', 4), () => '');
  } else if (batch !== undefined) await printBatch(call, batch);
  else if (action !== undefined)
    await call.print(await explainAction({ cwd: call.cwd, json: action }), explainedText);
  else await call.print(await explainCommand({ cwd: call.cwd, command: command ?? '' }), explainedText);
}

/** Prints one JSON object per line, whatever `--format` is. */
async function printBatch(call: Call, file: string): Promise<void> {
  const { explainBatch } = await import('../../../app/commands/review/explain.ts');
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

export function decisionText(decision: ReviewDecision, { style }: Terminal): string {
  const colour = { allow: style.green, warn: style.yellow, modify: style.yellow, block: style.red };
  return colour[decision](decision);
}

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
