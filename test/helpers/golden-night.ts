import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import type { Project, Started } from './cli.ts';
import { internalWords } from './internal-words.ts';
import { movedClock } from './moved-clock.ts';
import { endingsOf, type Night, type NightProject, night, shell } from './night.ts';
import { HAS_TERMINAL } from './on-terminal.ts';
import { paste } from './ralph-on-path.ts';
import { toldForms } from './told-forms.ts';

/** A night, and what you do in it; absent: you type `ralph run` alone. */
export type Golden =
  | Night
  | {
      readonly night: Night;
      readonly typed?: (night: Typed) => Promise<void>;
      /** Whether the morning after the first command is recorded in each form, too (`test/golden/told`). */
      readonly told?: boolean;
      /** Whether several workers make the order of the tasks' ends a different one each night. */
      readonly unordered?: boolean;
    };

/** Returns a night with these tasks and a gate that passes. */
export const golden = (...tasks: readonly string[]): Night =>
  night(...tasks)
    .gate('true')
    .files({ '.gitignore': 'seen/\n' });

export type Typed = NightProject & {
  /** Runs a command to its end and records its exit code. */
  readonly type: (...args: string[]) => Promise<void>;
  /** Starts a command; `ends` resolves once it ended. */
  readonly begin: (...args: string[]) => Pick<Started, 'says'> & {
    readonly kill: () => void;
    readonly ends: () => Promise<void>;
  };
  /** Sets the wall clock so many seconds ahead of its start. */
  readonly ahead: (seconds: number) => void;
};

/** A second of real time is a hundredth of that on the wall clock, so that a slow machine ends no cool-down. */
const RATE = 0.01;

/**
 * Makes tests that play each night with the built program and compare it with `test/golden/nights/NAME.json`. `npx
 * vitest run --project PROJECT FILE -u` records it again: read the difference before you commit it.
 */
export function goldenNights(nights: Readonly<Record<string, Golden>>): void {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  describe('a night ends as the one on record (else, after you read the difference: vitest -u)', () => {
    it.each(Object.entries(nights))('%s', async (name, night) => {
      const { happened, told } = await played(night);
      if (told !== null) await expect(told).toMatchFileSnapshot(`../golden/told/${name}.md`);
      await expect(textOf(happened)).toMatchFileSnapshot(`../golden/nights/${name}.json`);
    });
  });
}

/** Returns JSON with one line for each item of a list. */
function textOf(happened: Readonly<Record<string, readonly unknown[]>>): string {
  const listed = Object.entries(happened).map(([key, items]) => {
    const lines = items.map((item) => `\n    ${JSON.stringify(item)}`).join(',');
    return `  ${JSON.stringify(key)}: [${lines}${items.length === 0 ? '' : '\n  '}]`;
  });
  return `{\n${listed.join(',\n')}\n}\n`;
}

type Played = { readonly happened: Record<string, readonly unknown[]>; readonly told: string | null };

async function played(given: Golden): Promise<Played> {
  vi.stubEnv('RALPH_BOX_MODE', 'off');
  const ahead = movedClock(RATE);
  const { night, ...how } = 'night' in given ? given : { night: given };
  const isTold = how.told === true;
  const one = (isTold ? night.toml('[notify]\ncommand = "cat >> PLACE/notified"') : night).make();
  const commands: string[] = [];
  const noted = (args: readonly string[], code: number | null) =>
    commands.push(`ralph ${args.join(' ')}: ${code === null ? 'killed' : `exit ${code}`}`);
  const begin: Typed['begin'] = (...args) => {
    const { child, ended, says } = one.start(...args);
    return {
      says,
      kill: () => void child.kill('SIGKILL'),
      ends: async () => void noted(args, (await ended).code),
    };
  };
  let told: string | null = null;
  const type: Typed['type'] = async (...args) => {
    await begin(...args).ends();
    // Later commands answer the questions of this morning, so it is recorded before them.
    if (isTold && HAS_TERMINAL) told ??= await toldForms(one, join(one.place, 'notified'));
  };
  const typed: Typed = { ...one, begin, ahead, type };
  await (how.typed ?? (() => type('run')))(typed);
  const read = (...args: string[]) => internalWords(one.ralph(...args).stdout);
  expect({ report: read('report'), status: read('status') }).toEqual({ report: [], status: [] });
  return { happened: { ...recordOf(one, how.unordered ?? false, commands), left: leftOf(one) }, told };
}

/** Returns the record of a night: typed commands, runs and tasks, attempts, events, and the branch. */
function recordOf(
  one: Project,
  unordered: boolean,
  commands: readonly string[],
): Record<string, readonly unknown[]> {
  const inOrder = (lines: readonly string[]) => (unordered ? lines.toSorted() : lines);
  const events = eventsOf(one);
  const shown = events.map(({ id, run, worker, timestamp, iteration, ...rest }) =>
    steady(unordered ? rest : { iteration, ...rest }),
  );
  return {
    commands,
    runs: endingsOf(one),
    tasks: tasksOf(one),
    waiting: waitingOf(one),
    attempts: inOrder(attemptsOf(one, unordered)),
    branch: inOrder(one.git('log', '--format=%s', '--reverse').split('\n')),
    changed_in_the_checkout: one
      .git('status', '--porcelain', '--', '.', ':!.ralph')
      .split('\n')
      .filter((line) => line !== ''),
    fields_of_events: [...new Set(events.flatMap((event) => Object.keys(event)))],
    events: unordered ? shown.toSorted((a, b) => taskOf(a).localeCompare(taskOf(b))) : shown,
  };
}

type Left = {
  readonly id: string;
  readonly status: string;
  readonly next: string;
  readonly work?: { readonly command?: string };
};

/**
 * Returns for each unfinished task and each waiting result the place of its work and the one command, which is run as
 * printed, with its effect.
 */
function leftOf(one: Project): string[] {
  const { unfinished, not_committed: waiting } = one.json('report') as Record<string, Left[]>;
  return [...(unfinished ?? []), ...(waiting ?? [])].map(({ id, status, next, work }) => {
    const taken = work?.command === undefined ? 'none' : `${work.command}: ${broughtBy(one, work.command)}`;
    return `${id} ${status ?? 'verified'}; work: ${taken}; next: ${steadyCommand(next)}: ${didBy(one, next, id)}`;
  });
}

/** Returns the paths that a command brings to the checkout, which is restored afterwards. */
function broughtBy(one: Project, command: string): string {
  const { code } = paste(one, command);
  const brought = one.git('status', '--porcelain', '-uall', '--', '.', ':!.ralph').trim();
  one.git('checkout', '-q', '--', '.', ':!.ralph');
  one.git('clean', '-fdq', '-e', '.ralph');
  return `exit ${code}, ${
    brought === ''
      ? 'nothing'
      : brought
          .split('\n')
          .map((line) => line.trim())
          .join(', ')
  }`;
}

/** Returns what a command did to its task, with words of yours in place of "…". */
function didBy(one: Project, command: string, id: string): string {
  const { code } = paste(one, command.replaceAll('"…"', '"Go on."'));
  const task = one.json('tasks').tasks.find((known: { id: string }) => known.id === id);
  return `exit ${code}, then ${task?.status ?? 'gone'}`;
}

/** Text between quotes is wording, so it isn't recorded. */
function steadyCommand(command: string): string {
  return command.replace(/'[^']*'/g, "'…'").replace(/\br-\d{8}-\d{6}-\w{4}\b/g, 'RUN');
}

type Events = readonly Readonly<Record<string, unknown>>[];

function eventsOf(one: Project): Events {
  const file = '.ralph/interventions/events.json';
  return one.exists(file) ? JSON.parse(one.read(file)).events : [];
}

function taskOf(event: unknown): string {
  return (event as { details: { task_id?: string } }).details.task_id ?? '';
}

function tasksOf(one: Project): string[] {
  return one
    .json('tasks')
    .tasks.map(
      ({ id, status, blocked }: { id: string; status: string; blocked: { reason: string } | null }) =>
        `${id}: ${status}${blocked === null ? '' : ` (${blocked.reason})`}`,
    );
}

/** Returns what waits for you or did: human gates with their decisions, incidents. */
function waitingOf(one: Project): string[] {
  const documents = (folder: string) =>
    (one.exists(`.ralph/${folder}`) ? readdirSync(one.path(`.ralph/${folder}`)) : [])
      .filter((name) => /^(?:G|INC)-\d+\.json$/.test(name))
      .toSorted()
      .map((name) => JSON.parse(one.read(`.ralph/${folder}/${name}`)));
  return [
    ...documents('gates').map(
      ({ id, gate, facts, decision }) => `${id} ${gate} of ${facts.task_id}: ${decision?.option ?? 'open'}`,
    ),
    ...documents('incidents').map(({ id, issue }) => `${id}: ${issue.type}`),
  ];
}

/** Returns each attempt with its verdict, and whether it counts as failed. */
function attemptsOf(one: Project, unordered: boolean): string[] {
  return one.iterations().map((number) => {
    const place = unordered ? '' : `${number}: `;
    const { facts, decisions } = attemptAt(one, number) ?? {};
    if (facts === undefined || decisions === undefined) return `${place}cut off`;
    const { verdict, failedAttempt } = decisions;
    return `${place}${facts.task.id}, attempt ${facts.attempt}, ${facts.agent}: ${verdict.kind}${failedAttempt ? ', failed' : ''}`;
  });
}

function attemptAt(one: Project, number: number): ReturnType<Project['iteration']> | null {
  try {
    return one.iteration(number);
  } catch {
    return null;
  }
}

/** Returns a value without parts that differ each night and without wording: a sentence becomes "…". */
function steady(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => steady(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, steady(item, name)]));
  if (typeof value === 'number') return /(?:ms|seconds|duration|time|pid|memoryMb)$/i.test(key) ? 0 : value;
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'TIME';
  if (/\s/.test(value)) return '…';
  return value
    .replace(/\br-\d{8}-\d{6}-\w{4}\b/g, 'RUN')
    .replace(/\b[0-9a-f]{7,64}\b/g, 'HASH')
    .replace(/^\/.*/, 'PATH');
}

/** Returns an action that sets the wall clock so many seconds ahead, between two attempts. */
export const apart = (seconds: number): ScenarioAction =>
  shell(
    `sed "s/\\"ahead\\":[0-9]*/\\"ahead\\":$((RALPH_ITERATION * ${seconds}))/" 'CLOCK' > 'CLOCK.new' && mv 'CLOCK.new' 'CLOCK'`,
  );
