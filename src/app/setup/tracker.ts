import { isUtf8 } from 'node:buffer';
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../domain/config.ts';
import { type Store, StoreError, type Tracker } from '../../domain/ports.ts';
import type { Task, TrackedStatus } from '../../domain/task.ts';
import { closeIssue, commentOnIssue, type GhOutcome, listIssues } from '../../io/gh.ts';
import { sha256 } from '../../io/ids.ts';
import { writeFileAtomic } from '../../io/store/files/atomic-file.ts';
import { lstatOrNull, readFileBytes, whyUnreadable } from '../../io/store/index.ts';
import {
  type FileKind,
  GITHUB_FIELDS,
  issueNumber,
  type ParsedTracker,
  parseTracker,
  setTrackerStatus,
  type TrackerReader,
  tasksFromGithub,
  trackerCandidates,
  trackerReader,
} from '../../tasks/index.ts';

export type TrackerOptions = {
  /** Absolute folder of the repository. */
  readonly root: string;
  readonly store: Store;
  readonly config: Config['tracker'];
};

/** The tracker that the configuration names: a file, found anew at each call, or GitHub issues. */
export function openTracker(options: TrackerOptions): Tracker {
  const { root, store, config } = options;
  const { kind } = config;
  return kind === 'github'
    ? openGithubTracker(root, store, config)
    : openFileTracker(root, store, kind, config.path);
}

function openFileTracker(root: string, store: Store, kind: FileKind, configured: string): Tracker {
  return {
    load: async () => {
      const found = await findTracker(root, kind, configured, store);
      if (!found.ok) return found;
      const parsed = rememberIds(found, store);
      if (!parsed.ok) return parsed;
      const { format, tasks, problems, holdsBlocked } = parsed;
      const { name, path, sha256 } = found;
      return { ok: true, format, name, paths: [path], holdsBlocked, sha256, tasks, problems };
    },
    setStatus: async (taskId: string, status: TrackedStatus) => {
      const found = await findTracker(root, kind, configured, store);
      if (!found.ok) throw new StoreError(found.message);
      const edited = setTrackerStatus(
        found.text,
        found.name,
        found.reader,
        store.state.rememberedIds,
        taskId,
        status,
      );
      if (!edited.ok) throw new StoreError(edited.message);
      const opened = status === 'open' ? taskId : null;
      if (edited.text === found.text && status !== 'open') return;
      if (edited.text !== found.text) write(found.path, found.name, edited.text);
      const digest = sha256(edited.text);
      store.commit(() => [{ type: 'tracker_accepted', sha256: digest, reopened: [], opened }]);
    },
  };
}

type Found =
  | {
      readonly ok: true;
      readonly path: string;
      /** The path on screen: relative to the repository where it lies inside. */
      readonly name: string;
      readonly text: string;
      readonly sha256: string;
      /** Reads the form of this file. */
      readonly reader: TrackerReader;
    }
  | { readonly ok: false; readonly message: string };

/** The configured file, else the first candidate of this kind that holds tasks, else the first that exists. */
async function findTracker(root: string, kind: FileKind, configured: string, store: Store): Promise<Found> {
  if (configured !== '') {
    const path = resolve(root, configured);
    if (isFile(path)) return readTracker(root, path, kind);
    return {
      ok: false,
      message: `[tracker] path = "${configured}" isn't a file: fix the path in ralph.toml, or create the file`,
    };
  }
  const names = trackerCandidates(kind);
  const paths = names.map((name) => resolve(root, name)).filter((path) => lstatOrNull(path) !== null);
  let first: Found | null = null;
  for (const path of paths) {
    const found = await readTracker(root, path, kind);
    if (!found.ok || paths.length === 1) return found;
    const parsed = parseTracker(found.text, found.name, found.reader, store.state.rememberedIds);
    // A damaged file is reported, and never passed over for another one.
    if (!parsed.ok || parsed.tasks.length > 0) return found;
    first ??= found;
  }
  if (first !== null) return first;
  return {
    ok: false,
    message: `no task file was found (looked for ${names.join(', ')}): run \`ralph init\`, or set [tracker] path`,
  };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

async function readTracker(root: string, path: string, kind: FileKind): Promise<Found> {
  const inside = relative(root, path);
  const name = inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  let bytes: Buffer;
  try {
    bytes = readFileBytes(path);
  } catch (error) {
    return {
      ok: false,
      message: `${name} cannot be read: ${whyUnreadable(error)}. Make it a file that you can read.`,
    };
  }
  // Exact both ways: the byte-order mark stays in the text, and anything else than UTF-8 is refused.
  if (!isUtf8(bytes)) {
    return { ok: false, message: `${name} is not UTF-8 text: save it as UTF-8, then try again` };
  }
  const text = bytes.toString('utf8');
  const reader = await trackerReader(text, name, kind);
  return { ok: true, path, name, text, sha256: sha256(bytes), reader };
}

/** Parses with the newest memory of ids, and commits that memory when the file has changed it. */
function rememberIds(found: Found & { ok: true }, store: Store): ParsedTracker {
  const { text, name, reader } = found;
  const parse = (known: Store['state']['rememberedIds']) => parseTracker(text, name, reader, known);
  let parsed = parse(store.state.rememberedIds);
  if (!parsed.ok || isDeepStrictEqual(parsed.remembered, store.state.rememberedIds)) return parsed;
  store.commit((state) => {
    parsed = parse(state.rememberedIds);
    if (!parsed.ok || isDeepStrictEqual(parsed.remembered, state.rememberedIds)) return [];
    return [{ type: 'ids_remembered', ids: parsed.remembered }];
  });
  return parsed;
}

function write(path: string, name: string, text: string): void {
  try {
    // The journal takes the new text up next, and forces the name to the disk with its own record.
    writeFileAtomic(path, text, { durability: 'content' });
  } catch (error) {
    throw new StoreError(
      `${name} cannot be written (${errorCode(error)}): check its permissions and the disk, then run again`,
    );
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/**
 * GitHub issues as the tracker. They hold no status but open and closed, so the others live in ralph's state. A task
 * that ralph has verified (`doneBy`) is done although its issue stays open, unless `close_on_done` makes the issue
 * itself say so: then opening the issue again brings the task back.
 */
function openGithubTracker(root: string, store: Store, config: Config['tracker']): Tracker {
  const { label } = config;
  return {
    load: async () => {
      const listed = await listIssues(root, label, GITHUB_FIELDS);
      if (listed.kind !== 'ok') return { ok: false, message: listed.message };
      const read = tasksFromGithub(listed.value);
      if (!read.ok) return read;
      const { tasks: doneTasks } = store.state;
      const isVerified = (task: Task): boolean =>
        !config.close_on_done && Object.hasOwn(doneTasks, task.id) && doneTasks[task.id]?.doneBy != null;
      return {
        ok: true,
        format: 'github',
        name: label === '' ? 'GitHub issues' : `GitHub issues (${label})`,
        paths: [],
        holdsBlocked: false,
        sha256: sha256(JSON.stringify(read.tasks)),
        tasks: read.tasks.map((task): Task => (isVerified(task) ? { ...task, status: 'done' } : task)),
        problems: [],
      };
    },
    setStatus: async (taskId, status) => {
      if (status !== 'done') return;
      const number = issueNumber(taskId);
      if (number === null) throw new StoreError(`${taskId} is no GitHub issue: expected an id such as #12`);
      if (config.comment_on_done) expectDone(await commentOnIssue(root, number, comment(store, taskId)));
      if (config.close_on_done) expectDone(await closeIssue(root, number));
    },
  };
}

function comment(store: Store, taskId: string): string {
  const doneBy = Object.hasOwn(store.state.tasks, taskId) ? store.state.tasks[taskId]?.doneBy : null;
  const where = doneBy?.kind === 'verdict' ? ` in iteration ${doneBy.iteration} of run ${doneBy.run}` : '';
  return `Done and verified by ralph${where}.\n`;
}

function expectDone(outcome: GhOutcome<null>): void {
  if (outcome.kind !== 'ok') throw new StoreError(outcome.message);
}
