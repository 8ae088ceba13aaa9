import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import type { ReviewedDiff } from '../../../app/commands/review/diff.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { type Call, calling, type Examples } from '../../call.ts';

export const examples: Examples = {
  'review diff': ['review diff changes.patch', 'review diff - --format json'],
};

export function define(review: Command): void {
  review
    .command('diff')
    .argument('[file]', 'a unified diff; "-", or none, is standard input', '-')
    .summary('Review a diff')
    .description('whether a diff weakens tests and checks, removes features or leaves stubs')
    .addHelpText('after', '\nExit codes: 0 clean, 1 warn, 3 act, 4 error.')
    .action(calling(run, false));
}

export async function run(call: Call, file: string) {
  const { reviewDiffFile } = await import('../../../app/commands/review/diff.ts');
  if (file === '-' && process.stdin.isTTY === true)
    call.onNotice('Reading a diff from standard input; end it with Ctrl-D.');
  await call.print(await reviewDiffFile({ cwd: call.cwd, file }), reviewedDiffText);
}

export function reviewedDiffText({ verdict, findings }: ReviewedDiff, terminal: Terminal): string {
  const { style, para } = terminal;
  if (findings.length === 0) return `${style.green('clean')}: nothing weakens tests or checks.`;
  const colour = verdict === 'act' ? style.red : style.yellow;
  const blocks = findings.map((one) => {
    const place = one.path === '' ? '' : ` ${one.path}${one.line > 0 ? `:${one.line}` : ''}`;
    const level = one.level === 'act' ? style.red('act') : style.yellow('warn');
    const head = `${level} ${style.bold(one.category)}${place} (${one.severity}, confidence ${one.confidence})`;
    const lines = (text: string | null, mark: string) =>
      text === null ? [] : text.split('\n').map((line) => `  ${mark} ${line}`);
    return [
      head,
      para(one.reason, '  '),
      ...lines(one.before, '-').map((line) => style.red(line)),
      ...lines(one.after, '+').map((line) => style.green(line)),
      ...one.evidence.map((sentence) => para(sentence, '  because ', '    ')),
    ].join('\n');
  });
  const acting = findings.filter(({ level }) => level === 'act').length;
  const sum = `${colour(verdict)}: ${counted(findings.length, 'finding')}${acting > 0 ? `, ${acting} with combined evidence` : ''}.`;
  return [...blocks, sum].join('\n\n');
}
