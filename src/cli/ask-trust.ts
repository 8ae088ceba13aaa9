import type { Choices } from '../app/commands/resume.ts';
import type { UncommittedAnswer } from '../app/commands/run.ts';
import { TRUST_INDENT, type TrustAnswer, type TrustQuestion } from '../app/setup/check-trust.ts';
import type { Uncommitted } from '../app/setup/uncommitted.ts';
import type { ResumeOption } from '../domain/incident.ts';
import { printable, type Terminal, terminalOf } from '../io/ui/index.ts';
import { counted } from '../lib/counted.ts';
import { onOneLine } from '../lib/text.ts';
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

/** Asks what becomes of what isn't committed: agents work from the last commit. */
export async function askUncommitted(
  { paths, named }: Uncommitted,
  place: Place,
): Promise<UncommittedAnswer> {
  const { para } = terminalAt(place);
  const files = paths.slice(0, SHOWN).map((path) => {
    const tasks = named.filter((one) => one.path === path).map(({ taskId }) => taskId);
    return para(
      onOneLine(tasks.length === 0 ? path : `${path} (named by ${tasks.join(', ')})`),
      '  ',
      '    ',
    );
  });
  if (paths.length > SHOWN) files.push(`  and ${paths.length - SHOWN} more`);
  const is = paths.length === 1 ? "isn't" : "aren't";
  place.output.write(
    `${para(`${counted(paths.length, 'file')} ${is} committed; agents work from your last commit and don't see ${paths.length === 1 ? 'it' : 'them'}:`)}\n${files.join('\n')}\n`,
  );
  const answer = await questionsAt(place).select<UncommittedAnswer>('What now?', [
    { value: 'go_on', label: 'continue without them' },
    { value: 'commit', label: 'commit them first' },
    { value: 'stop', label: 'stop' },
  ]);
  return answer === STOPPED || answer === null ? 'stop' : answer;
}

/** Files that a question names. */
const SHOWN = 10;

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
