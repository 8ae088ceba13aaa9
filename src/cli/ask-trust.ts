import { counted } from 'ralph-kit/counted';
import { onOneLine } from 'ralph-kit/text';
import type { Choices } from '../app/commands/resume.ts';
import type { UncommittedAnswer } from '../app/commands/run.ts';
import type { TrustAnswer, TrustQuestion } from '../app/setup/check-trust.ts';
import { TRUST_INDENT } from '../app/setup/trust/trust-text.ts';
import type { Uncommitted } from '../app/setup/uncommitted.ts';
import type { ResumeOption } from '../domain/incident.ts';
import { leftText, type Task } from '../domain/task.ts';
import { printable, type Terminal, terminalOf } from '../io/ui/index.ts';
import { words } from '../tell/index.ts';
import { type Place, questionsAt, STOPPED } from './ask.ts';
import { choicesText } from './render/incident-options.ts';

/** Shows the items that need approval and asks once. Anything but yes is a no, such as the end of input. */
export async function askTrust({ lines }: TrustQuestion, place: Place): Promise<TrustAnswer> {
  const { verbatim } = terminalAt(place);
  const shown = lines.map((line) => verbatim(line, TRUST_INDENT)).join('\n');
  place.output.write(`This repository runs commands you haven't approved:\n${shown}\n`);
  const answer = await questionsAt(place).confirm('Accept exactly this, and run?');
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}

/** Asks whether ticked but unverified tasks are done. After a no they keep waiting; Ctrl-C also stops the run. */
export async function askAboutTasks(
  tasks: readonly Pick<Task, 'id' | 'title' | 'left'>[],
  place: Place,
): Promise<boolean> {
  const { para } = terminalAt(place);
  const lines = tasks.map(({ id, title, left }) =>
    para(left === null ? `${id} ${title}` : `${id} ${title}: ${leftText(left)}`, '  ', '    '),
  );
  place.output.write(
    `Ticked, but neither verified by ralph nor accepted from a commit:\n${lines.join('\n')}\n`,
  );
  return (await questionsAt(place).confirm('Are they done?')) === true;
}

/** Offers to commit all files if there is no commit yet, because without one there is nothing to go back to. */
export async function askFirstCommit(_: null, place: Place): Promise<TrustAnswer> {
  const answer = await questionsAt(place).confirm('No commits yet. Make the first one?', true);
  if (answer === STOPPED) return 'stopped';
  return answer === true ? 'yes' : 'no';
}

/** Asks what to do with uncommitted files, because agents work from the last commit. */
export async function askUncommitted(
  { paths, namedByTasks }: Uncommitted,
  place: Place,
): Promise<UncommittedAnswer> {
  const { para } = terminalAt(place);
  const files = paths.slice(0, SHOWN).map((path) => {
    const tasks = namedByTasks.filter((one) => one.path === path).map(({ taskId }) => taskId);
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

/** Maximum number of files that a question names. */
const SHOWN = 10;

/** Shows the options after an incident and asks once. Returns `null` if you choose none now. */
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
