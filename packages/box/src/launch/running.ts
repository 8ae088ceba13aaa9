import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import type { ProgramTree } from 'ralph-kit/programs/table/process-table';
import type { MainExit } from 'ralph-kit/programs/table/signals';
import type { OpenedBox } from '../protocol/index.ts';

/** File descriptors stay the caller's to close. */
export type LaunchRequest = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Environment;
  /** `null` gives an empty standard input. */
  readonly stdin: number | null;
  readonly stdout: number;
  readonly stderr: number;
  /** Makes the box for a resolved program; `null`: no box. Called again when a box couldn't be made. */
  readonly box: (program: string) => OpenedBox | null;
};

/** Program to start, possibly in front of another, with its resolved path. */
export type Command = Omit<LaunchRequest, 'box'> & {
  readonly path: string;
  /** Descriptor 3 of a files-only bubblewrap, which isn't asked to end as that kills all. `null`: no box. */
  readonly statusFile: string | null;
  readonly serve: OpenedBox['serve'];
};

export type Launch = { readonly kind: 'running'; readonly running: Running } | FailedLaunch;

/** `code` is an error name such as `ENOENT`; `message` is for the user. */
export type FailedLaunch = { readonly kind: 'failed'; readonly code: string; readonly message: string };

export type TreeEnd = {
  /** Number of processes alive shortly after the main one ended. */
  readonly leftBehind: number;
  /** Number of processes that couldn't be killed, for example another user's. */
  readonly survivors: number;
};

/** A supervised program with its descendants. */
export type Running = {
  /** Resolves when the main process has ended; others may be alive. */
  readonly mainExit: Promise<MainExit>;
  /** Resolves after `mainExit`, when the whole tree has ended. */
  readonly treeEnd: Promise<TreeEnd>;
  /** Sends SIGTERM to the tree; not needed for processes left after the main one. */
  readonly terminate: () => void;
  /** Sends SIGKILL until nothing is left. */
  readonly kill: () => void;
  /** Returns the current tree without the processes that ralph put in front of the program. */
  readonly tree: () => ProgramTree;
  /** Returns the tree's resident memory in MiB; `null` when unknown. */
  readonly memoryMib: () => number | null;
};
