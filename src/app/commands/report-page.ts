import { basename, resolve } from 'node:path';
import { accessCommand, whyUnwritable } from 'ralph-kit/files/access-command';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { redactor } from 'ralph-kit/redact';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { stripControl, wholeLines } from 'ralph-kit/text';
import type { InterventionEvent } from '../../domain/records/event.ts';
import { systemClock } from '../../io/clock.ts';
import { storyOf } from '../../tell/index.ts';
import { type Attempt, attemptsIn } from '../records/find-attempts.ts';
import { type IterationFolder, iterationFolders, textOf } from '../records/iteration-files.ts';
import { type LoggedAttempt, loggedAttempt } from '../records/logged-attempt.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject, type Project } from '../setup/project.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { inTaskList, type TaskList } from '../setup/workspace.ts';
import { changedBy } from './diff.ts';
import { gatesIn } from './human/approvals.ts';
import { type ReportInput, reportFrom, runRow } from './report.ts';

export type WholeReport = DataOf<typeof wholeReport>;

/** Maximum number of characters of a task's patch. */
const PATCH_CHARS = 60_000;

/** Parts of the page about finished attempts. They never change, so they are kept for the next page. */
export type Memo = {
  readonly attempts: Map<number, LoggedAttempt>;
  readonly changes: Map<string, Awaited<ReturnType<typeof changesOf>>>;
};

export function newMemo(): Memo {
  return { attempts: new Map(), changes: new Map() };
}

/** Returns the report of runs with attempts, changes, interventions and decisions, as other commands print them. */
export async function wholeReport(input: ReportInput, memo: Memo = newMemo()) {
  const read = await inTaskList(input, (list) => partsOf(list, input, memo));
  if (!read.ok) return read;
  const { attempts, ...parts } = read.data;
  const tasks = groups(attempts, ({ logged }) => logged.task_id ?? '');
  const changed = await inProject({ ...input, onNotice: () => undefined }, async (project) => {
    const hide = redactor(secretsOf(project.config));
    const changes: Awaited<ReturnType<typeof changesOf>>[] = [];
    for (const [id, made] of tasks) {
      const key = `${id} ${made.map(({ logged }) => `${logged.iteration}${logged.state}`)}`;
      const known = memo.changes.get(key) ?? (await changesOf(project, made, hide));
      if (made.every(({ logged }) => logged.state === 'finished')) memo.changes.set(key, known);
      changes.push(known);
    }
    return success({ changes });
  });
  if (!changed.ok) return changed;
  return success({ ...parts, attempts: attempts.map(({ logged }) => logged), ...changed.data });
}

type Made = {
  readonly attempt: Attempt;
  readonly folder: IterationFolder;
  readonly logged: LoggedAttempt;
};

function partsOf(list: TaskList, input: ReportInput, memo: Memo) {
  const { project } = list;
  const chosen = reportFrom(list, input);
  if (!chosen.ok) return chosen;
  const report = chosen.data;
  const runs = new Set(report.runs);
  const folders = new Map(iterationFolders(project.folder).map((one) => [one.iteration, one]));
  const startedAttempts = attemptsIn(project, runs);
  const attempts = startedAttempts.flatMap((attempt): Made[] => {
    const folder = folders.get(attempt.iteration);
    if (folder === undefined) return [];
    const logged = memo.attempts.get(attempt.iteration) ?? loggedAttempt(project, attempt, folder, 'failed');
    if (logged.state === 'finished') memo.attempts.set(attempt.iteration, logged);
    return [{ attempt, folder, logged }];
  });
  const { state } = project.store;
  const events = state.events.filter(({ run }) => runs.has(run));
  const { open, incidents, decided } = gatesIn(state);
  return success({
    project: basename(project.root),
    made_at: systemClock().now(),
    report,
    runs: state.runs.filter(({ run }) => runs.has(run)).map(runRow),
    attempts,
    gone: startedAttempts.length - attempts.length,
    interventions: { story: storyOf(events).map(snakeKeys), applied: appliedIn(events) },
    human: { open, incidents, decided: decided.filter(({ run }) => runs.has(run)) },
  });
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}

function appliedIn(events: readonly InterventionEvent[]) {
  const applied = events.filter(({ event_type }) => event_type === 'intervention_applied');
  const types = groups(applied, ({ details }) => String(details.intervention_type));
  return [...types].map(([type, all]) => {
    const count = (outcome: string) => all.filter(({ details }) => details.outcome === outcome).length;
    const [helped, notHelped] = [count('helped'), count('not_helped')];
    const no_further_attempt = count('no_further_attempt');
    const open = all.length - helped - notHelped - no_further_attempt;
    return { type, applied: all.length, helped, not_helped: notHelped, no_further_attempt, open };
  });
}

/** Changes of all attempts at a task; the patch of a single finished attempt is read from its files. */
async function changesOf(project: Project, made: readonly Made[], hide: (text: string) => string) {
  const [first, ...others] = made;
  const { logged, folder } = first as Made;
  const isAlone = others.length === 0 && logged.state === 'finished';
  const { files, patch } = isAlone
    ? { files: logged.changes, patch: textOf(folder, 'changes.patch') }
    : await changedBy(
        project,
        made.map(({ attempt }) => attempt),
        'patch',
      );
  const kept = wholeLines(patch, PATCH_CHARS);
  return {
    task_id: logged.task_id,
    files: files.map(({ path, lines_added, lines_removed }) => ({ path, lines_added, lines_removed })),
    patch: hide(stripControl(kept)),
    is_cut: kept.length < patch.length,
  };
}

export type PageResult = DataOf<typeof writePage>;

/** Writes the page. A link at the file's path is replaced, not followed. */
export async function writePage(input: ReportInput, file: string, render: (report: WholeReport) => string) {
  const made = await wholeReport(input);
  if (!made.ok) return made;
  const html = render(made.data);
  const path = resolve(input.cwd, file);
  const { attempts, report } = made.data;
  return keepPage(path, html, { runs: report.runs, iterations: attempts.length });
}

function keepPage(path: string, html: string, facts: { runs: readonly string[]; iterations: number }) {
  try {
    replaceFile(path, html, { durability: 'none' });
  } catch (error) {
    return failure(
      `${path} can't be written: ${whyUnwritable(path, error)}.`,
      accessCommand(path, 'write') ?? 'ralph doctor',
      1,
    );
  }
  return success({ html: path, bytes: Buffer.byteLength(html), ...facts });
}
