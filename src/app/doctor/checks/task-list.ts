import type { Task } from '../../../domain/task.ts';
import { problemsOf } from '../../../loop/index.ts';
import { type DoctorFinding, error, info, warning } from '../check.ts';

type Loaded = Parameters<typeof problemsOf>[0];

export type ListProblem = {
  /** Place in the list, such as `.ralph/PRD.md:12`. */
  readonly place: string;
  readonly message: string;
  readonly blocks: 'everything' | 'a task' | 'nothing';
};

export function listProblems(loaded: Loaded, tasks: readonly Task[]): ListProblem[] {
  return problemsOf(loaded, tasks).map(({ line, message, tasks: held }) => ({
    place: line === null ? loaded.name : `${loaded.name}:${line}`,
    message,
    blocks: held === 'all' ? 'everything' : held.length > 0 ? 'a task' : 'nothing',
  }));
}

/** Returns whether a run can start the task, now or once other tasks are done. */
export function isStartable({ status, problem }: Task): boolean {
  return (status === 'open' || status === 'in_progress') && problem === null;
}

/** Returns a finding for a list without tasks. The example task of `ralph init` doesn't count. */
export function noTasks(name: string, problems: readonly ListProblem[]): DoctorFinding {
  const [first] = problems;
  const why = first === undefined ? '' : ` (${first.place}: ${first.message})`;
  const fix = 'ralph tasks add "Add a README"';
  return error('tasks.read', name, `there are no tasks in it${why}`, fix);
}

/**
 * Returns findings for problems: errors if a run could start no task, otherwise warnings, because other tasks can be
 * done.
 */
export function problemFindings(problems: readonly ListProblem[], canStart: boolean): DoctorFinding[] {
  return problems.map(({ place, message, blocks }) => {
    const fix = `Correct it in ${place}.`;
    if (blocks === 'everything' || (blocks === 'a task' && !canStart))
      return error('tasks.problem', place, message, fix);
    if (blocks === 'nothing')
      return info(
        'tasks.passed_over',
        place,
        message,
        `Nothing to do, if that is meant; else change it in ${place}.`,
      );
    return warning('tasks.problem', place, message, fix);
  });
}
