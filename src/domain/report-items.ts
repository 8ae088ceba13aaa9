import { asSentence, capitalized, quotedNames } from '../lib/text.ts';
import type { InterventionType } from './intervention.ts';
import type { Failing } from './records/state.ts';
import type { RunReport, UnfinishedTask } from './run-report.ts';
import type { WorkPlace } from './work-place.ts';

/** What each intervention does to an agent, as the end of a sentence. */
export const ANSWER_WORD: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'warned',
  context_reinforcement: 'warned, prompt restated',
  resource_throttling: 'given lower limits',
  checkpoint_rollback: 'work set aside, started over',
  emergency_stop: 'stopped',
};

/** What each intervention means for what comes next, as a sentence without its full stop. */
export const EFFECT: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'The agent will be warned in its next attempt',
  context_reinforcement: 'The next prompt restates the task',
  resource_throttling: 'The next attempts get lower limits',
  checkpoint_rollback: 'The next attempt starts anew',
  emergency_stop: 'Stopped',
};

/** What isn't done, or needs you: the tasks of one cause. Texts have times in ISO 8601 UTC. */
export type Item = {
  readonly mark: 'blocked' | 'you' | 'open';
  /** Empty: it is about no task. */
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  readonly cause: string;
  /** What a gate or an agent printed about it. */
  readonly excerpt: readonly string[];
  /** What you can do, in order, where no command does it. */
  readonly steps: readonly string[];
  /** Where the work of those is that have any. */
  readonly work: readonly WorkPlace[];
  readonly commands: readonly string[];
};

const NOTHING = { tasks: [], excerpt: [], steps: [], work: [], commands: [] };

/** Tasks that aren't done, each cause once with all its tasks, in the order of the first of them. */
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
        // What one of them printed is what all of them did.
        commands: failing === null ? [...new Set(all.map(({ next }) => next))] : [task.next],
      };
    });
}

/** Why a task isn't done; where something printed shows it, that follows. */
export function causeText({ why, failing }: Pick<UnfinishedTask, 'why' | 'failing'>): string {
  const cause = asSentence(capitalized(why));
  return failing === null ? cause : `${cause} ${failingHead(failing)}:`;
}

/** Which gate or agent printed an excerpt, as a sentence without its end. */
export function failingHead({ gate, since }: Failing): string {
  if (gate === null) return 'The agent printed';
  const when = { work: '; it passed before the work', before: '; it failed before, too' };
  return `Gate ${quotedNames([gate])} fails${since === null ? '' : when[since]}`;
}

/** All that needs you: tasks, verified results that wait, what wasn't pushed, and what else there is to know. */
export function needItems(report: RunReport): readonly Item[] {
  const notPushed = notPushedOf(report);
  return [
    ...openItems(report.unfinished.filter(({ group }) => group === 'you')),
    ...resultItems(report.notCommitted),
    ...(notPushed === null
      ? []
      : [
          {
            ...{ ...NOTHING, mark: 'you' as const, cause: notPushed.text },
            commands: notPushed.next === null ? [] : [notPushed.next],
          },
        ]),
    ...[...report.signInsKept, ...(report.builtAnew === null ? [] : [report.builtAnew])].map((cause) => ({
      ...{ ...NOTHING, mark: 'you' as const, cause },
    })),
  ];
}

/** Verified results that wait; one that waits behind another has that one's cause. */
export function resultItems(waiting: RunReport['notCommitted']): readonly Item[] {
  const causes = [...new Set(waiting.map(({ why }) => why))];
  const causeOf = (why: string) => causes.find((other) => other !== why && why.endsWith(other)) ?? why;
  return [...new Set(waiting.map(({ why }) => causeOf(why)))].map((cause) => {
    const same = waiting.filter(({ why }) => causeOf(why) === cause);
    return {
      ...{ ...NOTHING, mark: 'you', cause: asSentence(`Verified, and waits: ${cause}`) },
      tasks: same.map(({ id, title }) => ({ id, title })),
      commands: [...new Set(same.map(({ next }) => next))],
    };
  });
}

/** Which part of a push failed, as a sentence, and the command that helps where there is one; `null`: all was pushed. */
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
