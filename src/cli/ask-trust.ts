import { createInterface } from 'node:readline';
import type { Choices } from '../app/commands/resume.ts';
import { TRUST_INDENT, type TrustAnswer, type TrustQuestion } from '../app/setup/check-trust.ts';
import { EDITED_SETTINGS } from '../app/setup/trust/edited-settings.ts';
import type { ResumeOption } from '../domain/incident.ts';
import { printable, terminalOf } from '../io/ui/index.ts';
import { choicesText } from './render/incident-options.ts';

const INTRO: Readonly<Record<TrustQuestion['about'], string>> = {
  commands: "This repository runs commands you haven't approved:",
  settings: EDITED_SETTINGS,
};

/** Shows what would count and asks once; anything but a clear yes (the end of input, too) is a no. */
export async function askTrust(
  { about, lines }: TrustQuestion,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<TrustAnswer> {
  const { verbatim } = terminalOf(output as NodeJS.WriteStream, true);
  const indent = about === 'commands' ? TRUST_INDENT : 2;
  output.write(`${INTRO[about]}\n${lines.map((line) => verbatim(line, indent)).join('\n')}\n`);
  const answer = await askLine('Accept exactly this, and run? [y/N] ', input, output);
  if (answer === null) return 'stopped';
  return isYes(answer) ? 'yes' : 'no';
}

/** Asks about tasks that are ticked and that nothing verified; a no leaves them waiting. Ctrl-C stops the run as well. */
export async function askAboutTasks(
  tasks: readonly { readonly id: string; readonly title: string }[],
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  stop: AbortSignal,
): Promise<boolean> {
  const { para } = terminalOf(output as NodeJS.WriteStream, true);
  const lines = tasks.map(({ id, title }) => para(`${id} ${title}`, '  ', '    '));
  output.write(`Ticked, but neither verified by ralph nor in a commit of yours:\n${lines.join('\n')}\n`);
  return isYes((await askLine('Are they done? [y/N] ', input, output, stop)) ?? '');
}

/** Shows what can be done about an incident and asks once; anything but the number or name of an option is none. */
export async function askOption(
  choices: Choices,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<ResumeOption | null> {
  output.write(`${choicesText(printable(choices), terminalOf(output as NodeJS.WriteStream, false))}\n\n`);
  const names = choices.options.map(({ option }) => option);
  const list = names.map((name, index) => `${index + 1} ${name}`).join(', ');
  const answer = ((await askLine(`Which one? ${list}; Enter: none now. `, input, output)) ?? '').trim();
  return names[Number(answer) - 1] ?? names.find((name) => name === answer.replaceAll('-', '_')) ?? null;
}

function isYes(answer: string): boolean {
  return /^\s*y(es)?\s*$/i.test(answer);
}

/** What you type; '' where you close the input, `null` at Ctrl-C. */
export function askLine(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  stop?: AbortSignal,
): Promise<string | null> {
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    reader.on('close', () => resolve(''));
    stop?.addEventListener('abort', () => reader.close());
    // The question takes it from the terminal, where it is meant for the run.
    reader.on('SIGINT', () => {
      if (stop !== undefined) {
        process.kill(process.pid, 'SIGINT');
        return;
      }
      // The next line begins below the question.
      output.write('\n');
      resolve(null);
      reader.close();
    });
    reader.question(question, (answer) => {
      resolve(answer);
      reader.close();
    });
  });
}
