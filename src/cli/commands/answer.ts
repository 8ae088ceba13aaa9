import { type AnswerResult, answer } from '../../app/commands/answer.ts';
import { clockTime, type Terminal } from '../../io/ui/index.ts';
import { capitalized } from '../../lib/text.ts';
import type { Call } from '../call.ts';

export async function run(call: Call, task: string | undefined, words: readonly string[]) {
  await call.print(await answer({ ...call, task: task ?? null, text: words.join(' ') }), answerText);
}

/** `ralph answer` */
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
        // Never broken: they are there to be copied.
        ...commands.map((command) => `  ${style.cyan(command)}`),
      ].join('\n'),
    )
    .join('\n\n');
}

function answeredText({ task, when, running, warnings }: Answered, { style, para }: Terminal): string {
  const place = when === null ? '' : ` ${capitalized(`it ${when}`)}.`;
  return [
    ...warnings.map((warning) => style.yellow(para(warning, '! '))),
    para(
      `${style.bold(task.id)} is answered: your words are in its next prompt.${place}`,
      `${style.green('✔')} `,
      '  ',
    ),
    ...(running ? [] : ['Next: ralph run']),
  ].join('\n');
}
