import type { AgentHome, Inherits } from 'ralph-kit/agent-home';

/** `git`: your commit hooks. `module`: your modules and notification scripts; they see what gates see, read-only. */
export type BoxRole = 'agent' | 'gate' | 'set-up' | 'git' | 'module';

/** Value of `$TMPDIR` in a box. Each box has this folder for itself. */
export const BOX_TMPDIR = '/tmp/t';

export type BoxLevel = 'full' | 'files';

/** Paths (absolute) and variables that one box shows beside the usual ones. */
export type Opened = { readonly paths: readonly string[]; readonly variables: readonly string[] };

/** Whether programs run in a box. `reason` and `fix` are for the screen. */
export type BoxStatus =
  | { readonly kind: 'on'; readonly level: BoxLevel; readonly program: string; readonly reason: string }
  | { readonly kind: 'off'; readonly reason: string; readonly fix: string };

/**
 * How a box shows a copy. `layers`: as a layer above the checkout's ignored files; `whole`: with its own copies of
 * these; `elsewhere`: at another path than the checkout's.
 */
export type MountMode = 'layers' | 'whole' | 'elsewhere';

/** A copy of the work tree that a box shows in place of the checkout. All paths are absolute. */
export type MountedCopy = {
  readonly files: string;
  /** The checkout's ignored files as layers below `files`, uppermost first; `null`: these files are in `files`. */
  readonly seed: readonly string[] | null;
  /** The copy's git folder, and the object store it also reads; `null`: the git folder is among its files. */
  readonly git: { readonly folder: string; readonly objects: string } | null;
  readonly folder: string;
  /** Absolute paths that git ignores in the checkout: their links' targets are shown, too. Absent: none are. */
  readonly ignored?: () => readonly string[];
};

/** Path in a copy's box at which the repository's git objects are. */
export const OBJECTS_IN_BOX = '/run/objects';

/**
 * Paths in a box at which submodules' git objects are: those that ralph kept, and those below the checkout's
 * `.git/modules`.
 */
export const BOX_SUBMODULES = {
  root: '/run/submodules',
  kept: '/run/submodules/kept',
  modules: '/run/submodules/modules',
} as const;

/**
 * How often ralph tries to make one box. A path that the box covers can vanish meanwhile, such as a server's socket,
 * and bubblewrap then fails.
 */
export const MOST_BOXES = 3;

/** Channel to a process started with `ipc`, over which listening servers are passed out of the box. */
export type BoxChannel = {
  readonly connected: boolean;
  readonly on: (event: 'message', heard: (message: unknown, handle: unknown) => void) => unknown;
  readonly send: (message: string, done: () => void) => unknown;
};

/** A program that is about to start, and what its box has to know of it. */
export type BoxLaunch = {
  readonly role: BoxRole;
  /** Absolute path of the program. */
  readonly program: string;
  /** Absolute paths of files that it runs, as an interpreter does; each is seen with its folder, as the program is. */
  readonly scripts?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths that the program needs besides those of its role, such as its hook's folder. */
  readonly visible: readonly string[];
  /** Extra folders that the program may write to. */
  readonly writable?: readonly string[];
  /** The agent's own folders; `null` when the program isn't an agent, or has none. */
  readonly home: AgentHome | null;
  readonly agent: string;
  /** Copy that replaces the work tree; the repository is then read-only. Absent: the work tree itself. */
  readonly copy?: MountedCopy | undefined;
  /** Environment variables to pass on; absent: those that gates get. */
  readonly inherits?: Inherits | undefined;
  /** Names of additional variables to pass on. */
  readonly extraVariables?: readonly string[];
  /** The one path of the held-out paths that this launch may see; `null`: none. */
  readonly heldOut?: string | null;
  /** Extra paths and variables shown to find out which of them a program needs. */
  readonly opened?: Opened | undefined;
};

/**
 * Makes the boxes of one run; `null` in place of a `Box` is a run without any. For each launch a box keeps to this:
 *
 * - **Seen**: the work tree or the copy, the system, toolchains. Of the home folder only what is named; no secret outside
 *   of it, no socket that isn't allowed, nothing that is held out for another gate. Variables: those that `inherits` names.
 * - **Written**: the work tree or the copy, `writable`, and a home folder, caches and `/tmp` of its own, of which nothing
 *   stays outside. Agents and hooks also write the repository's git data, without its settings and hooks.
 * - **Network**: all, none but the box's own loopback, or the listed hosts.
 * - **Ends with it**: with `holdsProcesses`, all that started in it, by the kernel; else, and without a box, what
 *   `launch` finds of its process tree.
 *
 * Without a box all of the user's is seen and written, and the network is open; what ends is the same as above.
 * packages/box/src/conformance.test.ts holds all of them to it.
 */
export type Box = {
  /** Prepares the box of one launch. Nothing has started yet. @throws The Node error when its folders can't be made. */
  readonly open: (launch: BoxLaunch) => OpenedBox;
  /** Returns what a box hides from a gate: entries of the home folder, and names of variables. */
  readonly closed: (launch: Pick<BoxLaunch, 'env'>) => Opened;
  /** Returns absolute targets of links below ignored files that stayed hidden at the last launch. */
  readonly linksNotShown: () => readonly string[];
};

/** The box of one launch, which the caller starts once, or replaces by another one if it couldn't be made. */
export type OpenedBox = {
  readonly program: string;
  /** All arguments of bubblewrap before `--`, `front` and the program's own path. */
  readonly args: readonly string[];
  /**
   * Command that gives the box access to the listed hosts and then becomes the program; empty: no such command is
   * needed.
   */
  readonly front: readonly string[];
  /** Answers the command in `front` through a channel; `null`: no channel is needed. */
  readonly serve: ((channel: BoxChannel) => void) | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of a folder for this box alone. Programs in the box can write only to a part of it. */
  readonly folder: string;
  /** bubblewrap writes how the program ended to this file, which it gets as descriptor 3. */
  readonly statusFile: string;
  /** The box isolates processes, too: the kernel ends all of them with the box. */
  readonly holdsProcesses: boolean;
  /** Returns whether the box started the program, once the box has ended; false for one that was killed. */
  readonly hasStarted: () => boolean;
  /** Place of an agent's file, given its path below the home folder; `null`: the agent has no folder of its own. */
  readonly agentFile: (path: string) => string | null;
  /** Cleans up after the box has ended. Never throws. */
  readonly close: () => void;
};
