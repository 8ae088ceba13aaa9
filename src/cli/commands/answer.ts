import type { Command } from 'commander';
import { capitalized } from 'ralph-kit/text';
import type { AnswerResult } from '../../app/commands/answer.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { clockTime } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  answer: ['answer', 'answer T-3 "In English"'],
};

export function define(program: Command): void {
  program
    .command('answer')
    .argument('[task]', 'the task that asks; by default all that you are asked is listed')
    .argument('[text...]', 'what the agent needs to know')
    .description('answer the question of an agent, which then continues')
    .action(actionOf(run, (task, words) => task !== undefined && words.length > 0));
}

export async function run(call: Call, task: string | undefined, words: readonly string[]) {
  const { answer } = await import('../../app/commands/answer.ts');
  await call.print(await answer({ ...call, task: task ?? null, text: words.join(' ') }), answerText);
}

export function answerText(data: AnswerResult, terminal: Terminal): string {
  return 'asked' in data ? listText(data.asked, terminal) : answeredText(data, terminal);
}

type Listed = Extract<AnswerResult, { asked: unknown }>;
type Answered = Exclude<AnswerResult, Listed>;

function listText(asked: Listed['asked'], { style, para }: Terminal): string {
  if (asked.length === 0) return 'You are asked nothing.';
  const now = new Date();
  return asked
    .map(({ task_id, title, at, text, commands }) =>
      [
        `${style.yellow('!')} ${style.bold(task_id)} ${title}${at === '' ? '' : style.dim(` (${clockTime(at, now)})`)}`,
        para(text, '  '),
        // Commands aren't wrapped, so that they can be copied.
        ...commands.map((command) => `  ${style.cyan(command)}`),
      ].join('\n'),
    )
    .join('\n\n');
}

function answeredText({ task, when, next, warnings }: Answered, { style, para }: Terminal): string {
  const place = when === null ? '' : ` ${capitalized(`it ${when}`)}.`;
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    para(
      `${style.bold(task.id)} is answered: your words are in its next prompt.${place}`,
      `${style.green('✔')} `,
      '  ',
    ),
    ...(next === null ? [] : [`Next: ${next}`]),
  ].join('\n');
}
