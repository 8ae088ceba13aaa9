import { basename, resolve } from 'node:path';
import type { InterventionEvent } from '../../domain/records/event.ts';
import { systemClock } from '../../io/clock.ts';
import { servePage } from '../../io/serve/serve-page.ts';
import { replaceFile, whyUnreadable } from '../../io/store/index.ts';
import { redactor } from '../../lib/redact.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';
import { stripControl, wholeLines } from '../../lib/text.ts';
import { storyOf } from '../../report/index.ts';
import { type Attempt, attemptsIn } from '../records/find-attempts.ts';
import { type IterationFolder, iterationFolders, textOf } from '../records/iteration-files.ts';
import { type LoggedAttempt, loggedAttempt } from '../records/logged-attempt.ts';
import { type DataOf, failure, success } from '../result.ts';
import { inProject } from '../setup/project.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { inTaskList, inWorkspace, runningHere, type TaskList } from '../setup/workspace.ts';
import { changedBy } from './diff.ts';
import { type FleetView, openFleetView } from './fleet/view.ts';
import { gatesIn } from './human/approvals.ts';
import { type ReportInput, reportFrom, runRow } from './report.ts';

export type WholeReport = DataOf<typeof wholeReport>;

/** Characters of the patch of a task that are kept. */
const PATCH_CHARS = 60_000;

/** What an earlier reading found of attempts that are over: nothing of it changes. */
export type Memo = {
  readonly attempts: Map<number, LoggedAttempt>;
  readonly changes: Map<string, Awaited<ReturnType<typeof changesOf>>>;
};

export function newMemo(): Memo {
  return { attempts: new Map(), changes: new Map() };
}

/**
 * The report of runs with what is behind it, each part as the command gives it that shows it: the attempts (`ralph logs`), what they
 * changed (`ralph diff`), interventions, and decisions (`ralph approvals`).
 */
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
  const folders = new Map(iterationFolders(project.root).map((one) => [one.iteration, one]));
  const begun = attemptsIn(project, runs);
  const attempts = begun.flatMap((attempt): Made[] => {
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
    /** Attempts whose files were removed. */
    gone: begun.length - attempts.length,
    interventions: { story: storyOf(events).map(snakeKeys), applied: appliedIn(events) },
    human: { open, incidents, decided: decided.filter(({ run }) => runs.has(run)) },
  });
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}

/** How often each intervention was applied in these runs, and what became of it. */
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

/** What the attempts at a task changed: one alone kept its patch. */
async function changesOf(
  project: Parameters<typeof changedBy>[0],
  made: readonly Made[],
  hide: (text: string) => string,
) {
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

/** `ralph report --html FILE`: a link in its place is replaced, not followed. */
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
    return failure(`${path} can't be written: ${whyUnreadable(error)}.`, null, 1);
  }
  return success({ html: path, bytes: Buffer.byteLength(html), ...facts });
}

/** The page is made anew when something was recorded, and when it is this old, in milliseconds: the task list may have been edited. */
const FRESH_MS = 30_000;

/** `ralph report --serve`: the page for a screen on this machine, until `stop` is aborted. */
export async function serveReport(
  input: ReportInput,
  {
    port,
    stop,
    render,
    onReady,
  }: {
    readonly port: number;
    readonly stop: AbortSignal;
    readonly render: (report: WholeReport, renewing: boolean, fleet: FleetView | null) => string;
    readonly onReady: (url: string) => void;
  },
) {
  const quiet = { ...input, read: false, onNotice: () => undefined };
  const first = await wholeReport({ ...input, read: false });
  if (!first.ok) return first;
  return inWorkspace(quiet, async (workspace) => {
    const [memo, fleet] = [newMemo(), openFleetView(quiet)];
    let known: { seq: number; at: number; made: ReturnType<typeof wholeReport> } | null = null;
    const current = (): ReturnType<typeof wholeReport> => {
      const { seq } = workspace.store.refresh();
      const isRunning = runningHere(workspace) !== null;
      const at = performance.now();
      if (known !== null && known.seq === seq && !isRunning && at - known.at < FRESH_MS) return known.made;
      known = { seq, at, made: wholeReport(quiet, memo) };
      return known.made;
    };
    const page = async (renewing: boolean) => {
      const made = await current();
      return made.ok ? { ok: true as const, html: render(made.data, renewing, await fleet()) } : made;
    };
    try {
      return success(await servePage({ port, stop, page, onReady }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      return failure(
        `Port ${port} ${code === 'EACCES' ? "isn't for you" : 'is in use'}.`,
        'ralph report --serve',
      );
    }
  });
}
