import { type NamedRule, type ReviewInForce, taskReviewProblems } from 'ralph-actions/forms/task-review';
import { didYouMean } from 'ralph-kit/nearest';
import type { TaskLine, TrackerProblem } from 'ralph-task-lists/task';
import type { Task } from '../../../domain/task.ts';

/** Names from the configuration that tasks may use. */
type KnownNames = {
  readonly levels: readonly string[];
  readonly gates: readonly string[];
  /** Names of review rules; `null`: you have rules of your own that aren't loaded yet. */
  readonly rules: readonly NamedRule[] | null;
  readonly risk: ReviewInForce['risk'];
};

/** Returns problems with levels, gates and rules that tasks name but the configuration lacks. */
export function checkNames(
  tasks: readonly Task[],
  { levels, gates, rules, risk }: KnownNames,
  lineOf: TaskLine,
): TrackerProblem[] {
  const known = new Set(levels.map(fold));
  return tasks.flatMap((task): TrackerProblem[] => {
    const { id, complexity, review } = task;
    const problem = (field: keyof Task, message: string) => ({
      line: lineOf(id, field),
      message,
      tasks: [id],
    });
    return [
      ...(complexity === null || known.has(fold(complexity))
        ? []
        : [problem('complexity', unknown('complexity', 'level', complexity, levels))]),
      ...task.gates
        .filter((name) => !gates.includes(name))
        .map((name) => problem('gates', unknown('gates', 'gate', name, gates))),
      ...(review === null ? [] : taskReviewProblems(review, { risk }, rules)).map((text) =>
        problem('review', `review: ${text}`),
      ),
    ];
  });
}

/** Removes case, spaces and dashes, which don't distinguish levels. */
function fold(level: string): string {
  return level
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

function unknown(field: string, what: string, name: string, names: readonly string[]): string {
  const near = didYouMean(name, names);
  const there = names.length === 0 ? '[gates] commands is empty' : `there are ${names.join(', ')}`;
  return `${field}: there is no ${what} ${JSON.stringify(name)}${near === '' ? `; ${there}` : `.${near}`}`;
}
