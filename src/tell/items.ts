import { asSentence, capitalized, quotedNames } from 'ralph-kit/text';
import type { InterventionType } from '../domain/intervention.ts';
import type { Failing } from '../domain/records/state.ts';
import type { RunReport, UnfinishedTask } from '../domain/run-report.ts';
import type { WorkPlace } from '../domain/work-place.ts';

/** Words for what each intervention does to an agent, as the end of a sentence. */
export const ANSWER_WORD: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'warned',
  context_reinforcement: 'warned, prompt restated',
  resource_throttling: 'given lower limits',
  checkpoint_rollback: 'work set aside, started over',
  emergency_stop: 'stopped',
};

/** Effect of each intervention, as a sentence without its full stop. */
export const EFFECT: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'The agent will be warned in its next attempt',
  context_reinforcement: 'The next prompt restates the task',
  resource_throttling: 'The next attempts get lower limits',
  checkpoint_rollback: 'The next attempt starts anew',
  emergency_stop: 'Stopped',
};

/** Unfinished tasks, or tasks that need you, which share one cause. Times in texts are ISO 8601 UTC. */
export type Item = {
  readonly mark: 'blocked' | 'you' | 'open';
  /** The item's tasks; empty: the item isn't about a task. */
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  readonly cause: string;
  readonly excerpt: readonly string[];
  /** Steps for you, in order, if no command carries them out. */
  readonly steps: readonly string[];
  readonly work: readonly WorkPlace[];
  readonly commands: readonly string[];
};

const NOTHING = { tasks: [], excerpt: [], steps: [], work: [], commands: [] };

/** Returns unfinished tasks grouped by cause, in the order of the first task of each cause. */
export function openItems(tasks: readonly UnfinishedTask[]): readonly Item[] {
  const known = new Set(tasks.map(({ id }) => id));
  const first = ({ sameAs }: UnfinishedTask) => sameAs.find((id) => known.has(id)) ?? null;
  return tasks
    .filter((task) => first(task) === null)
    .map((task) => {
      const all = [task, ...tasks.filter((one) => first(one) === task.id)];
      const { status, group, failing, recovery } = task;
      return {
        mark: status === 'blocked' ? 'blocked' : group === 'you' ? 'you' : 'open',
        tasks: all.map(({ id, title }) => ({ id, title })),
        cause: causeText(task),
        excerpt: failing?.lines ?? [],
        steps: recovery,
        work: all.flatMap(({ work }) => (work.kind === 'none' ? [] : work)),
        // With a failure's output, one command is enough: all tasks of the cause printed the same output.
        commands: failing === null ? [...new Set(all.map(({ next }) => next))] : [task.next],
      };
    });
}

/** Returns why a task isn't done, followed by the heading of the output that shows it. */
export function causeText({ why, failing }: Pick<UnfinishedTask, 'why' | 'failing'>): string {
  const cause = asSentence(capitalized(why));
  return failing === null ? cause : `${cause} ${failingHead(failing)}:`;
}

/** Returns a sentence, without full stop, that says which gate or agent printed an excerpt. */
export function failingHead({ gate, since }: Failing): string {
  if (gate === null) return 'The agent printed';
  const when = { work: '; it passed before the work', before: '; it failed before, too' };
  return `Gate ${quotedNames([gate])} fails${since === null ? '' : when[since]}`;
}

type ReportNeeds = Pick<RunReport, 'unfinished' | 'notCommitted' | 'push' | 'signInsKept' | 'builtAnew'>;

/** Returns all that needs you: tasks, waiting results, a failed push, and other notes. */
export function needItems(report: ReportNeeds): readonly Item[] {
  const notPushed = notPushedOf(report);
  return [
    ...openItems(report.unfinished.filter(({ group }) => group === 'you')),
    ...resultItems(report.notCommitted),
    ...(notPushed === null
      ? []
      : [
          {
            ...NOTHING,
            mark: 'you' as const,
            cause: notPushed.text,
            commands: notPushed.next === null ? [] : [notPushed.next],
          },
        ]),
    ...[...report.signInsKept, ...(report.builtAnew === null ? [] : [report.builtAnew])].map((cause) => ({
      ...NOTHING,
      mark: 'you' as const,
      cause,
    })),
  ];
}

/** Returns waiting results grouped by cause. A result that waits for another one has that one's cause. */
export function resultItems(waiting: RunReport['notCommitted']): readonly Item[] {
  const causes = [...new Set(waiting.map(({ why }) => why))];
  const causeOf = (why: string) => causes.find((other) => other !== why && why.endsWith(other)) ?? why;
  return [...new Set(waiting.map(({ why }) => causeOf(why)))].map((cause) => {
    const same = waiting.filter(({ why }) => causeOf(why) === cause);
    return {
      ...NOTHING,
      mark: 'you',
      cause: asSentence(`Verified, and waits: ${cause}`),
      tasks: same.map(({ id, title }) => ({ id, title })),
      commands: [...new Set(same.map(({ next }) => next))],
    };
  });
}

/** Returns a sentence about a failed push, and the command that helps; `null`: everything was pushed. */
export function notPushedOf({
  push,
}: Pick<RunReport, 'push'>): { readonly text: string; readonly next: string | null } | null {
  if (push === null || push.problem === null) return null;
  const { remote, branch, commit, pullRequest, problem } = push;
  const what =
    commit === null
      ? `Nothing was pushed to ${remote}/${branch}`
      : pullRequest === null
        ? 'No pull request was opened'
        : `${pullRequest} isn't up to date`;
  return { text: `${what}: ${asSentence(problem.reason)}`, next: problem.next };
}
