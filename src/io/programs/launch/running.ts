import type { OpenedBox } from '../../../domain/box/box.ts';
import type { Environment } from '../start/resolve-executable.ts';
import type { ProgramTree } from '../table/process-table.ts';
import type { MainExit } from '../table/signals.ts';

/** What is needed to start one supervised program. File descriptors stay the caller's to close. */
export type LaunchRequest = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Environment;
  /** A file descriptor to read from; `null` for an empty standard input. */
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
  /** Makes the box that it runs in, given its resolved path; that gives `null` where it runs outside. Called again for a box that couldn't be made. */
  readonly box: (program: string) => OpenedBox | null;
};

/** A program in front of another, by its resolved path. */
export type Command = Omit<LaunchRequest, 'box'> & {
  readonly path: string;
  /**
   * The program is bubblewrap, around files alone, and gets this file as descriptor 3. It is never asked to end, as all
   * in the box would be killed with it. `null`: there is no box.
   */
  readonly statusFile: string | null;
  readonly serve: OpenedBox['serve'];
};

export type Launch = { readonly kind: 'running'; readonly running: Running } | FailedLaunch;

/** `code` is an error name such as `ENOENT`; `message` is for the user. */
export type FailedLaunch = { readonly kind: 'failed'; readonly code: string; readonly message: string };

export type TreeEnd = {
  /** Processes that were alive shortly after the main one had exited. */
  readonly leftBehind: number;
  /** Processes that could not be killed, those of another user for instance. */
  readonly survivors: number;
};

/** A program under supervision: the main process and all that descends from it. */
export type Running = {
  /** The main process is over; others may be alive. */
  readonly mainExit: Promise<MainExit>;
  /** The whole tree is over. Comes after `mainExit`. */
  readonly treeEnd: Promise<TreeEnd>;
  /** SIGTERM to the whole tree. What is left when the main process has ended is asked without this call. */
  readonly terminate: () => void;
  /** SIGKILL to the tree until nothing is left. */
  readonly kill: () => void;
  /** The tree now, without what ralph put in front of the program. */
  readonly tree: () => ProgramTree;
  /** Resident memory of the tree now, in MiB; `null` where the system does not say. */
  readonly memoryMib: () => number | null;
};
