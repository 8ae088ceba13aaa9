import type { Choices } from '../app/commands/resume.ts';
import { TRUST_INDENT, type TrustAnswer, type TrustQuestion } from '../app/setup/check-trust.ts';
import type { ResumeOption } from '../domain/incident.ts';
import { printable, type Terminal, terminalOf } from '../io/ui/index.ts';
import { type Place, questionsAt, STOPPED } from './ask.ts';
import { choicesText } from './render/incident-options.ts';
import { words } from './render/words.ts';

/** Shows what would count and asks once; anything but a yes (the end of input, too) is a no. */
export async function askTrust({ lines }: TrustQuestion, place: Place): Promise<TrustAnswer> {
  const { verbatim } = terminalAt(place);
  const shown = lines.map((line) => verbatim(line, TRUST_INDENT)).join('\n');
  place.output.write(`This repository runs commands you haven't approved:\n${shown}\n`);
  const answer = await questionsAt(place).confirm('Accept exactly this, and run?');
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}

/** Asks about tasks that are ticked and that nothing verified; a no leaves them waiting. Ctrl-C stops the run as well. */
export async function askAboutTasks(
  tasks: readonly { readonly id: string; readonly title: string }[],
  place: Place,
): Promise<boolean> {
  const { para } = terminalAt(place);
  const lines = tasks.map(({ id, title }) => para(`${id} ${title}`, '  ', '    '));
  place.output.write(
    `Ticked, but neither verified by ralph nor in a commit of yours:\n${lines.join('\n')}\n`,
  );
  return (await questionsAt(place).confirm('Are they done?')) === true;
}

/** Offers to commit what is there, where nothing is committed: without a commit there is nothing to go back to. */
export async function askFirstCommit(_: null, place: Place): Promise<TrustAnswer> {
  const answer = await questionsAt(place).confirm('No commits yet. Make the first one?', true);
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}

/** Shows what can be done about an incident and asks once; `null`: nothing now. */
export async function askOption(choices: Choices, place: Place): Promise<ResumeOption | null> {
  place.output.write(`${choicesText(printable(choices), terminalAt(place))}\n`);
  const answer = await questionsAt(place).select<ResumeOption | null>('Which one?', [
    { value: null, label: 'none now' },
    ...choices.options
      .filter(({ possible }) => possible)
      .map(({ option }) => ({ value: option, label: words(option) })),
  ]);
  return answer === STOPPED ? null : answer;
}

function terminalAt({ output, color }: Place): Terminal {
  return terminalOf(output as NodeJS.WriteStream, !color);
}
