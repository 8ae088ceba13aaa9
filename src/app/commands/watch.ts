import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { own } from 'ralph-kit/own';
import { redactor } from 'ralph-kit/redact';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { onOneLine, stripControl } from 'ralph-kit/text';
import { attemptNumber, workersAt } from '../../decide/index.ts';
import { openIncidents } from '../../domain/incident.ts';
import { type AtWork, atWorkWords } from '../../domain/records/at-work.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import { isReportedDone, type OpenIteration, taskStateOf } from '../../domain/records/state.ts';
import { workPlaceOf } from '../../domain/work-place.ts';
import { authorityFor } from '../../respond/human/index.ts';
import {
  type Asked,
  askedOf,
  optionsOf,
  outlookOf,
  storyOf,
  type TranscriptEntry,
} from '../../tell/index.ts';
import { formatFor } from '../records/iteration-files.ts';
import { readTranscript, type TranscriptReader } from '../records/read-transcript.ts';
import { type DataOf, success } from '../result.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import { inTaskList, type ProjectInput, runLockHolder, type TaskList } from '../setup/workspace.ts';
import { openFleetView } from './fleet/view.ts';
import { placesIn } from './queue.ts';
import { reportFrom } from './report.ts';
import { type StatusResult, statusOf } from './status.ts';

export type Watched = DataOf<ReturnType<typeof openWatch>['read']>;

const CALLS_SHOWN = 5;
const FLEET_MS = 3000;
/** Maximum number of characters of the agent's last words. */
const WORDS_SHOWN = 500;

type Follower = { readonly reader: TranscriptReader; readonly clean: (text: string) => string };

export function openWatch(input: ProjectInput) {
  const followers = new Map<string, Follower>();
  const fleet = openFleetView(input);
  let hasFleet = false;
  let files: readonly string[] = [];
  let folder = join(input.cwd, '.ralph');
  let settings = folder;
  const readOnce = async () => {
    const seen = await fleet();
    hasFleet = seen !== null;
    return inTaskList(input, async (list) => {
      const { root } = list.project;
      folder = list.project.folder;
      settings = join(root, '.ralph');
      // A killed run leaves its attempts open in the journal.
      const isRunning = runLockHolder(list.project) !== null;
      const attempts = isRunning ? attemptsOf(list, followers) : [];
      files = [...list.tracker.paths, ...attempts.map(({ folder }) => join(folder, 'output.log'))];
      const report = reportFrom(list, { run: null, since: null, read: false });
      const status = await statusOf(list);
      return success({
        root,
        name: basename(root),
        status,
        run: isRunning ? runOf(list) : null,
        attempts,
        tasks: tasksOf(list, status.unfinished),
        /** Path of the task list; `null`: it isn't a file. */
        list_path: list.tracker.paths[0] ?? null,
        requests: requestsOf(list),
        fleet: seen,
        incidents: openIncidents(list.project.store.state).map(({ id, taskId, summary }) => ({
          id,
          task_id: taskId,
          summary,
        })),
        report: report.ok ? report.data : null,
      });
    });
  };
  return {
    /** A run that ends during a read looks killed. A second read finds its end in the journal. */
    read: async () => {
      const read = await readOnce();
      return read.ok && read.data.report?.ending === 'crashed' ? readOnce() : read;
    },
    /** Returns a value that changes when there may be something new to read. */
    stamp: () => {
      // A killed process changes no file.
      const isRunning = runLockHolder({ folder }) !== null;
      // A worker on another machine changes no file here either.
      const seen = hasFleet ? Math.floor(performance.now() / FLEET_MS) : 0;
      return [...[...files, ...alwaysRead(folder, settings)].map(stampOf), isRunning, seen].join(' ');
    },
  };
}

export async function isSetUp(cwd: string): Promise<boolean> {
  const found = await workTreeAt(cwd);
  return found.ok && existsSync(ralphFolder(found).folder);
}

function alwaysRead(folder: string, settings: string): string[] {
  return [...['journal.jsonl', 'run.lock'].map((name) => join(folder, name)), join(settings, 'ralph.toml')];
}

function stampOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '-' : `${stat.size}:${stat.mtimeMs}:${stat.ino}`;
}

/** Returns the active run's usage and estimated time; `null`: no run is active. */
function runOf({ project, tasks }: TaskList) {
  const { store, config } = project;
  const { state } = store;
  const run = state.runs.at(-1);
  if (run === undefined || run.endedAt !== null) return null;
  const durations = new Map(run.work.map(({ taskId, durationMs }) => [taskId, durationMs]));
  const taskId = openAt({ project })[0]?.open.taskId ?? null;
  const outlook =
    taskId === null
      ? null
      : outlookOf({
          tasks,
          begun: durations,
          taskId,
          scope: null,
          iterationsLeft: tasks.length,
          maxAttempts: config.loop.max_attempts_per_task,
          profile: own(state.profiles, run.agent) ?? null,
        });
  return {
    run: run.run,
    agent: run.agent,
    mode: run.mode,
    started_at: run.startedAt,
    iterations: run.iterations,
    done: run.done.length,
    tokens: run.tokens,
    cost_usd: run.costUsd,
    estimated_usd: run.estimatedUsd,
    /** Estimated milliseconds from the start of the running attempt to the end of the run; `null`: unknown. */
    left_ms: outlook?.leftMs ?? null,
  };
}

function openAt({ project }: Pick<TaskList, 'project'>) {
  const { worktree } = project.workplace;
  return project.store.state.workplaces
    .flatMap((place): { worker: number; open: OpenIteration }[] =>
      place.worktree === worktree && place.openIteration !== null
        ? [{ worker: place.worker, open: place.openIteration }]
        : [],
    )
    .toSorted((one, other) => one.worker - other.worker);
}

function attemptsOf(list: TaskList, followers: Map<string, Follower>) {
  const { project, tasks } = list;
  const { state } = project.store;
  const { worktree } = project.workplace;
  const atWork = workersAt({ state, tasks, worktree });
  const open = openAt(list);
  const now = open.map(({ open }) => iterationPath(open));
  for (const path of followers.keys()) if (!now.includes(path)) followers.delete(path);
  return open.map(({ worker, open }) => {
    const { taskId, iteration, agent, startedAt, timeoutSeconds } = open;
    const folder = join(project.folder, iterationPath(open));
    const { reader, clean } = followerOf(list, followers, open, folder);
    reader.read(false);
    const calls = reader.entries.filter((entry) => entry.kind === 'call');
    const words = reader.entries.findLast((entry) => entry.kind !== 'call');
    return {
      worker,
      task_id: taskId,
      iteration,
      agent,
      folder,
      title: tasks.find(({ id }) => id === taskId)?.title ?? taskId,
      /** Phase after the agent's work; `null`: the agent is working. */
      phase: phaseOf(atWork.find((one) => one.worker === worker)),
      attempt: attemptNumber(taskStateOf(state, taskId)),
      max_attempts: project.config.loop.max_attempts_per_task,
      started_at: startedAt,
      timeout_seconds: timeoutSeconds,
      words: words === undefined ? null : clean(words.text).trim().slice(-WORDS_SHOWN),
      calls: calls.length,
      last_calls: calls.slice(-CALLS_SHOWN).map((call) => callOf(call, clean)),
      found: storyOf(state.events.filter((one) => one.run === open.run && one.iteration === iteration)).map(
        ({ what }) => onOneLine(what),
      ),
    };
  });
}

function phaseOf(at: AtWork | undefined) {
  return at === undefined || at.phase === 'agent' ? null : { words: atWorkWords(at), since: at.since };
}

function callOf(call: Extract<TranscriptEntry, { kind: 'call' }>, clean: (text: string) => string) {
  return { action: onOneLine(clean(call.action)), ok: call.ok };
}

function followerOf(
  { project }: TaskList,
  followers: Map<string, Follower>,
  open: OpenIteration,
  path: string,
): Follower {
  const { run, iteration } = open;
  const known = followers.get(iterationPath(open));
  if (known !== undefined) return known;
  const hide = redactor(secretsOf(project.config));
  const follower = {
    reader: readTranscript({ run, iteration, path }, formatFor(null, open.agent, project.config.runners)),
    clean: (text: string) => hide(stripControl(text)),
  };
  followers.set(iterationPath(open), follower);
  return follower;
}

function tasksOf(list: TaskList, unfinished: StatusResult['unfinished']) {
  const { project, tracker, tasks } = list;
  const { state } = project.store;
  const places = placesIn(list);
  const worked = new Set(state.runs.flatMap(({ work }) => work.map(({ taskId }) => taskId)));
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  const known = new Set(tasks.map(({ id }) => id));
  const questions = askedOf(state, tasks);
  const open = new Map(unfinished.map((one) => [one.id, one]));
  return tasks.map((task) => {
    const { id, title, status, problem, acceptance, dependsOn } = task;
    const taskState = taskStateOf(state, id);
    const { attempts, blocked, parked, history } = taskState;
    const tried = blocked?.attempts ?? attempts;
    return {
      id,
      title,
      status,
      problem,
      acceptance,
      line: tracker.lineOf(id, null),
      /** Position in the queue of results for your branch; `null`: landed. */
      place: placeOf(places, id),
      held: taskState.held,
      first: state.first.includes(id),
      waits_for: dependsOn.filter((one) => known.has(one) && !done.has(one)),
      tried: tried.length > 0 || history.length > 0 || worked.has(id),
      parked,
      /** Reason, place of the work, and next command of an unfinished task; `null`: the task is done. */
      open: open.get(id) ?? null,
      tries: tried.map(({ iteration, verdict, cause }) => ({ iteration, verdict, cause })),
      kept: workPlaceOf(state, id).kind === 'kept',
      acceptable: status === 'unverified' || isReportedDone(taskState),
      /** Open question of the task's agent; `null`: there is none. */
      asks: questions.find((one) => one.taskId === id && ANSWERED.has(one.kind))?.text ?? null,
    };
  });
}

const ANSWERED: ReadonlySet<Asked['kind']> = new Set(['question', 'dispute']);

function placeOf(places: ReturnType<typeof placesIn>, id: string) {
  const at = places.findIndex(({ taskId }) => taskId === id);
  const one = places[at];
  return one === undefined ? null : { number: at + 1, kind: one.kind, why: one.why, command: one.command };
}

function requestsOf({ project }: TaskList) {
  return project.store.state.human.requests.map((request) => ({
    id: request.id,
    task_id: request.facts.taskId,
    at: request.at,
    deadline: request.deadline,
    gate: request.gate,
    /** Whether the decision needs a signature. */
    signed: authorityFor(request, project.config.human.gates).signed,
    why: request.triggers.map(({ text }) => text).join('; '),
    action: request.action?.shown ?? null,
    options: optionsOf(request).map((one) => snakeKeys(one)),
  }));
}
