import { randomBytes } from 'node:crypto';
import { closeSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenedBox } from '../../domain/box/box.ts';
import type { Box, BoxLaunch } from '../box/index.ts';
import { openLog } from '../store/files/open-log.ts';
import { openPlainFile, readFileBytes } from '../store/files/plain-file.ts';
import { inProvenFolder } from '../store/files/proven-folder.ts';
import { killBox } from './launch/launch-in-box.ts';
import { resolveExecutable } from './launch/resolve-executable.ts';
import type { StartedBox } from './launch/running.ts';
import { canBecome, startBox } from './launch/start-in-box.ts';
import { readProcess } from './table/process-table.ts';

/** A box that waits for its agent. */
export type ReadyBox = {
  readonly opened: OpenedBox;
  readonly started: StartedBox;
  /** Descriptors of the logs of what runs in it; the caller closes them. */
  readonly logs: readonly [stdout: number, stderr: number];
  /** From here on the logs lie there. @throws The Node error, StoreError */
  readonly moveLogs: (outputFile: string, errorFile: string) => void;
  /** What its program reads is what this file holds now. @throws The Node error */
  readonly give: (promptFile: string) => void;
  /** Kills it, if it is still there. */
  readonly end: () => void;
};

/**
 * The box of the next agent, made while one works: that takes some 10 ms. It is used only where one made now would be
 * the same, of the same files and folders. Not for agents that get a folder of their own at each start.
 */
export type BoxAhead = {
  /** Makes one for a launch like the last that was asked for. */
  readonly prepare: () => void;
  /**
   * The one that waits, if it is as it should be; one that isn't is ended.
   *
   * @param launch Its program may be a name.
   * @param logs Folder of the agent's logs.
   */
  readonly take: (launch: BoxLaunch, logs: string) => Promise<ReadyBox | null>;
  readonly close: () => void;
};

/** In vain one after the other: here, each attempt changes what is mounted, a task list beside other files for instance. */
const MOST_MISSES = 2;

type Waiting = ReadyBox & {
  /** The box as this launch has it; `null` where it has to be another one. @throws The Node error */
  readonly forLaunch: (launch: BoxLaunch) => OpenedBox | null;
  readonly drop: () => void;
};

/** @param owner Beginning of the marker by which processes of this ralph are known. */
export function boxAhead(box: Box | null, owner: string): BoxAhead {
  let last: { readonly launch: BoxLaunch; readonly logs: string } | null = null;
  let waiting: Promise<Waiting | null> | null = null;
  let misses = 0;
  return {
    prepare: () => {
      if (box === null || last === null || waiting !== null || misses === MOST_MISSES) return;
      // What keeps it from being made is met by the agent's own start.
      waiting = make(box, last.launch, last.logs, owner).catch(() => null);
    },
    take: async (wanted, logs) => {
      const found = isAlikeEachTime(wanted)
        ? resolveExecutable(wanted.program, wanted.cwd, wanted.env)
        : null;
      if (found?.kind !== 'found') return null;
      const launch = { ...wanted, program: found.path };
      last = { launch, logs };
      const ready = await waiting;
      waiting = null;
      if (ready === null) return null;
      const opened = fitted(ready, launch);
      misses = opened === null ? misses + 1 : 0;
      if (opened !== null) return { ...ready, opened };
      ready.drop();
      return null;
    },
    close: () => {
      void waiting?.then((ready) => ready?.drop());
      waiting = null;
    },
  };
}

function isAlikeEachTime({ home, inCopy, visible, writable }: BoxLaunch): boolean {
  return home === null && inCopy !== true && visible.length === 0 && (writable ?? []).length === 0;
}

function fitted(ready: Waiting, launch: BoxLaunch): OpenedBox | null {
  try {
    return ready.forLaunch(launch);
  } catch {
    return null;
  }
}

async function make(box: Box, launch: BoxLaunch, logs: string, owner: string): Promise<Waiting | null> {
  const { cwd } = launch;
  const opened = box.open(launch);
  const files: number[] = [];
  const open = (file: number) => {
    files.push(file);
    return file;
  };
  const discard = () => {
    for (const file of files) closeSync(file);
    opened.close();
    return null;
  };
  try {
    // What is moved has to stay on its disk.
    if (!opened.holdsProcesses || statSync(opened.folder).dev !== statSync(logs).dev) return discard();
    const seen = opened.places.map(identityOf);
    const names = { output: 'output.log', errors: 'errors.log', input: 'input' };
    const at = (name: keyof typeof names) => join(opened.folder, names[name]);
    const [stdout, stderr] = [open(openLog(at('output'))), open(openLog(at('errors')))];
    writeFileSync(at('input'), '', { mode: 0o600 });
    const stdin = openPlainFile(at('input'));
    const marker = `${owner}${randomBytes(12).toString('hex')}`;
    const start = await startBox(opened, { cwd, stdin, stdout, stderr }, marker).finally(() =>
      closeSync(stdin),
    );
    if (start.kind === 'failed') return discard();
    const started = start.box;
    started.leave();
    let isOver = false;
    void started.mainExit.then(() => {
      isOver = true;
    });
    const end = () => {
      if (!isOver) killBox(started.pid);
    };
    return {
      ...{ opened, started, end },
      logs: [stdout, stderr],
      drop: () => {
        end();
        discard();
      },
      forLaunch: (wanted) => {
        const { args, env, places } = box.planned(wanted, opened.folder);
        const isSame =
          !isOver &&
          readProcess(started.pid)?.zombie === false &&
          isDeepStrictEqual(args, opened.args) &&
          isDeepStrictEqual(places.map(identityOf), seen) &&
          canBecome(opened.env, env);
        return isSame ? { ...opened, env } : null;
      },
      moveLogs: (outputFile, errorFile) => {
        moveTo(outputFile, at('output'));
        moveTo(errorFile, at('errors'));
      },
      give: (promptFile) => writeFileSync(at('input'), readFileBytes(promptFile)),
    };
  } catch (error) {
    discard();
    throw error;
  }
}

function moveTo(path: string, from: string): void {
  inProvenFolder(dirname(path), (place) => renameSync(from, join(place, basename(path))));
}

/**
 * Equal for the same file or folder, under the same name all the time: the kernel takes a mount away with a name that is
 * removed or replaced outside, and numbers are given anew.
 */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return '';
  const { dev, ino, birthtimeNs, ctimeNs } = found;
  return [dev, ino, birthtimeNs, found.isDirectory() ? '' : ctimeNs].join(':');
}
