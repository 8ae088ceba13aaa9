import { match } from 'ralph-kit/match';
import type { Statement } from './find-statements.ts';
import { wordsIn } from './words.ts';

/** A title may mention a signal in words; only its written form could count as a claim. */
const SIGNAL = /EXIT[_ ]SIGNAL\W{0,4}[:=]|RALPH_STATUS|<promise>/i;

type Task = { readonly id: string; readonly title: string };

/** Returns the agent's own statements on this task, without blocks for other tasks, the task's title and earlier feedback. */
export function ownStatements(
  statements: readonly Statement[],
  task: Task,
  quoted: readonly string[],
): { readonly statements: readonly Statement[]; readonly otherTask: string | null } {
  const title = wordsIn(SIGNAL.test(task.title) ? task.title : '');
  const blocks = [title, ...quoted.map(wordsIn)];
  const own = statements.filter((one) => {
    const words = wordsIn(textOf(one));
    return !(one.kind === 'block' ? blocks : [title]).some((text) => text.includes(words));
  });
  const other = own.filter((one) => one.kind === 'block' && !isFor(one.block.taskId, task));
  const named = other.map((one) => (one.kind === 'block' ? one.block.taskId : null)).at(-1) ?? null;
  return { statements: own.filter((one) => !other.includes(one)), otherTask: named };
}

function textOf(statement: Statement): string {
  return match(statement, 'kind', {
    block: (statement) => statement.text,
    signal: (statement) => `EXIT_SIGNAL: ${statement.value}`,
    promise: () => 'promise COMPLETE promise',
  });
}

/** Returns whether a block's TASK means this task, by id or words of its title. A missing or unfilled one does. */
function isFor(named: string | null, { id, title }: Task): boolean {
  const name = wordsIn(named ?? '').trim();
  if (named === null || name === '') return true;
  if (wordsIn(named).includes(wordsIn(id))) return true;
  const words = name.split(' ');
  // The name looks like another task's id.
  if (words.length === 1 || /^[\w#.-]*\d[\w.-]*(?:[\s:,]|$)/.test(named.trim()))
    return wordsIn(title).includes(` ${name} `) && !/\d/.test(name);
  const known = words.filter((word) => wordsIn(title).includes(` ${word} `));
  return known.length * 2 >= words.length;
}
