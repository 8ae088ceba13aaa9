import { setTimeout } from 'node:timers/promises';
import type { TranscriptEntry } from '../../tell/index.ts';
import { success } from '../result.ts';
import { inWorkspace, type ProjectInput, runLockHolder, type Workspace } from '../setup/workspace.ts';
import { type Attempt, type AttemptQuery, findAttempts } from './find-attempts.ts';
import { type IterationFolder, isRecorded, iterationFolders } from './iteration-files.ts';
import { cleanEntry, type LoggedAttempt, loggedAttempt, openLog, stateOf } from './logged-attempt.ts';

const PAUSE_MS = 200;

type Listener = {
  readonly onAttempt: (attempt: LoggedAttempt) => void;
  /** Receives new entries, each once it is complete. */
  readonly onEntries: (entries: LoggedAttempt['transcript'], agent: string | null) => void;
  readonly onEnd: (attempt: LoggedAttempt) => void;
};

export type FollowInput = ProjectInput & AttemptQuery;

/** Follows an attempt as it grows. Without a number or a task, later attempts are followed until no run is active. */
export function followLogs(input: FollowInput, listener: Listener) {
  return inWorkspace(input, async (project) => {
    const found = findAttempts(project, input, 'ralph logs');
    if (!found.ok) return found;
    const { which, task } = input;
    let attempt = found.attempts.at(-1);
    while (attempt !== undefined) {
      await followOne(project, attempt, listener);
      attempt = which === null && task === null ? await nextAttempt(project, attempt) : undefined;
    }
    return success({});
  });
}

/** Returns the next attempt once it starts; `undefined`: no run is active any more. */
async function nextAttempt(project: Workspace, { iteration }: Attempt): Promise<Attempt | undefined> {
  for (;;) {
    const active = runLockHolder(project) !== null;
    if (project.store.refresh().counters.iteration > iteration) {
      const found = findAttempts(project, { which: String(iteration + 1), task: null }, 'ralph logs');
      return found.ok ? found.attempts[0] : undefined;
    }
    if (!active) return undefined;
    await setTimeout(PAUSE_MS);
  }
}

async function followOne(project: Workspace, attempt: Attempt, listener: Listener): Promise<void> {
  const folder = await folderOf(project, attempt);
  if (folder === null) return;
  listener.onAttempt(loggedAttempt(project, attempt, folder, 'raw'));
  const { agent, reader, clean } = openLog(project, attempt, folder);
  for (let given = 0; ; await setTimeout(PAUSE_MS)) {
    project.store.refresh();
    const running = stateOf(project, attempt, isRecorded(folder)) === 'running';
    reader.read(!running);
    const complete = running ? completeOf(reader.entries) : reader.entries.length;
    if (complete > given)
      listener.onEntries(
        reader.entries.slice(given, complete).map((entry) => cleanEntry(entry, clean)),
        agent,
      );
    given = Math.max(given, complete);
    if (!running) return listener.onEnd(loggedAttempt(project, attempt, folder, 'raw'));
  }
}

/** Returns the attempt's folder, which appears soon after its record; `null`: the run died before. */
async function folderOf(project: Workspace, attempt: Attempt): Promise<IterationFolder | null> {
  for (;;) {
    const active = runLockHolder(project) !== null;
    const folder = iterationFolders(project.folder).find(({ iteration }) => iteration === attempt.iteration);
    if (folder !== undefined) return folder;
    if (!active) return null;
    await setTimeout(PAUSE_MS);
  }
}

/**
 * Returns how many entries are complete. The last message may continue; a call is complete with its result, or when the
 * agent speaks again.
 */
function completeOf(entries: readonly TranscriptEntry[]): number {
  const spoke = entries.findLastIndex(({ kind }) => kind !== 'call');
  const open = entries.findIndex((entry, index) =>
    entry.kind === 'call' ? entry.ok === null && index > spoke : index === entries.length - 1,
  );
  return open === -1 ? entries.length : open;
}
