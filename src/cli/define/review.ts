import { type Command, InvalidArgumentError, Option } from 'commander';
import { REVIEW_DECISIONS } from '../../lib/actions/review-decisions.ts';
import { lazily, wholeNumber } from '../call.ts';

/** Adds the commands about the review of actions; none of them decides for you. */
export function addReview(program: Command): void {
  const review = program.command('review').description('how the actions of agents are reviewed');
  review
    .command('explain')
    .argument('[command]', 'a command line, in quotes')
    .option('--action <json>', 'a tool call instead: {"tool": "Write", "input": {"file_path": "a.ts"}}')
    .option('--batch <file>', 'one {"command": …} a line, one analysis a line; "-" is standard input')
    .description('what a review says of an action: decision, rules, risk, effects')
    .addHelpText(
      'after',
      '\nExit codes: 0 allow, 1 warn, 2 modify, 3 block, 4 error.\nA batch ends with the strictest.',
    )
    .action(lazily(() => import('../commands/review/explain.ts'), false));
  review
    .command('diff')
    .argument('[file]', 'a unified diff; "-", or none, is standard input', '-')
    .description('whether a diff weakens tests and checks, removes features or leaves stubs')
    .addHelpText('after', '\nExit codes: 0 clean, 1 warn, 3 act, 4 error.')
    .action(lazily(() => import('../commands/review/diff.ts'), false));
  review
    .command('log')
    .option('--last <n>', 'the newest n (20)', wholeNumber, 20)
    .addOption(
      new Option('--decision <decision>', 'only those with this decision').choices([...REVIEW_DECISIONS]),
    )
    .option('--iteration <n>', 'only those of this iteration', wholeNumber)
    .option('--interactive', 'those of agents that you use yourself (ralph review hook)')
    .description('what was reviewed; --json has all of it')
    .action(lazily(() => import('../commands/review/log.ts'), false));
  review
    .command('rules')
    .description('the rules: which are essential, switched off, your own')
    .action(lazily(() => import('../commands/review/rules.ts'), false));
  review
    .command('hook')
    .argument('<agent>', 'claude, codex, gemini, qwen or droid', agentName)
    .description('review an agent that you use yourself; at a terminal: what its settings need')
    .action(lazily(() => import('../commands/review/hook.ts'), false));
}

function agentName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('the name of an agent is expected');
  return text;
}
