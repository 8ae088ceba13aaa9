import type { Task } from '../../../domain/task.ts';
import { problemsOf } from '../../../loop/index.ts';
import { type DoctorFinding, error, info, warning } from '../check.ts';

type Loaded = Parameters<typeof problemsOf>[0];

/** Something to fix in the task list. */
export type ListProblem = {
  /** `.ralph/PRD.md:12` */
  readonly place: string;
  readonly message: string;
  /** What isn't worked on until it is fixed. */
  readonly holds: 'everything' | 'a task' | 'nothing';
};

/** What has to be fixed in a list, with overlaid tasks. */
export function listProblems(loaded: Loaded, tasks: readonly Task[]): ListProblem[] {
  return problemsOf(loaded, tasks).map(({ line, message, tasks: held }) => ({
    place: line === null ? loaded.name : `${loaded.name}:${line}`,
    message,
    holds: held === 'all' ? 'everything' : held.length > 0 ? 'a task' : 'nothing',
  }));
}

/** Whether a run may start with this task, or come to it. */
export function isStartable({ status, problem }: Task): boolean {
  return (status === 'open' || status === 'in_progress') && problem === null;
}

/** A list without a task; the example of `ralph init` is none. */
export function noTasks(name: string, problems: readonly ListProblem[]): DoctorFinding {
  const [first] = problems;
  const why = first === undefined ? '' : ` (${first.place}: ${first.message})`;
  const fix = `Write tasks into ${name}, such as "- [ ] Add a README", or: ralph tasks add "Add a README"`;
  return error('tasks.read', name, `there are no tasks in it${why}`, fix);
}

/** Errors where a run would have nothing to start with, else warnings: the other tasks are worked on. */
export function problemFindings(problems: readonly ListProblem[], canStart: boolean): DoctorFinding[] {
  return problems.map(({ place, message, holds }) => {
    const fix = `Correct it in ${place}.`;
    if (holds === 'everything' || (holds === 'a task' && !canStart))
      return error('tasks.problem', place, message, fix);
    if (holds === 'nothing')
      return info(
        'tasks.passed_over',
        place,
        message,
        `Nothing to do, if that is meant; else change it in ${place}.`,
      );
    return warning('tasks.problem', place, message, fix);
  });
}
