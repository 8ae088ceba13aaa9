/**
 * What runs in a box: agents; gates; commands that prepare a work tree; your git hooks when ralph commits; your modules and scripts of
 * notifications, which are seen as gates are and only read the repository.
 */
export type BoxRole = 'agent' | 'gate' | 'set-up' | 'git' | 'module';

/** `$TMPDIR` of what runs in a box: a folder for that alone. */
export const BOX_TMPDIR = '/tmp/t';

/** What the kernel isolates here: everything, or files alone. */
export type BoxLevel = 'full' | 'files';

/** A folder below the home folder. */
export type AgentFolder = {
  readonly path: string;
  /** Names another place for it, and is set in the box. */
  readonly variable: string | null;
  /** Names another place for the folder that it lies in. */
  readonly base: string | null;
};

/**
 * Where an agent keeps what is its own. Paths are below the home folder, without `~/`. In the box a folder that ralph owns
 * stands in the place of each of `folders`, so that nothing that it writes there has an effect outside.
 */
export type AgentHome = {
  readonly folders: readonly AgentFolder[];
  /** Yours, read-only in there: settings, hooks, plug-ins, skills. Where you have none, the agent has none. */
  readonly settings: readonly string[];
  /** What it continues its sessions by, `*` for anything: of all that it leaves, this alone is there for its next attempt. */
  readonly sessions: readonly string[];
  /** Copied in before an attempt, and back to yours where the agent refreshed them. */
  readonly signIns: readonly SignIn[];
  /** Copied in before an attempt and never back: accounts that the agent keeps among other things. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  /** Variables that say that it is isolated, set in the box where you didn't set them. */
  readonly isolated?: Readonly<Record<string, string>>;
  /** It starts commands in a sandbox of its own, inside of this one. */
  readonly nests: boolean;
};

/** A file of JSON that an agent signs in with. Members are named within a sign-in, deeper ones with dots. */
export type SignIn = {
  /** Below the home folder, without `~/`. */
  readonly path: string;
  /** What a sign-in is in there: the whole file, each of its members, or that one of them. Nothing else is carried back. */
  readonly holds: 'one' | 'many' | { readonly member: string };
  /** Members that a refresh replaces. */
  readonly tokens: readonly string[];
  /** When it ends or was refreshed: numbers, or ISO 8601. A token that is a JWT says itself when it ends. */
  readonly times: readonly string[];
  /** Whose it is. A token that is a JWT says that itself, too. */
  readonly account: readonly string[];
  /** Where that lies in another file: one of `copies`, by its path in the box. */
  readonly accountIn?: { readonly file: string; readonly member: string };
};

/**
 * What of ralph's environment a program gets in the box. `ordinary`: what tools are built and found by. `and`: names, with `*` for
 * anything, that are passed whatever they hold.
 */
export type Inherits = {
  readonly which: 'all' | 'but-secrets' | 'ordinary';
  readonly and: readonly string[];
};

/** What an opened box shows beside what it always does: absolute paths, and names of variables. */
export type Opened = { readonly paths: readonly string[]; readonly variables: readonly string[] };

/** How programs are isolated in a run; `reason` and `fix` are for the screen. */
export type BoxStatus =
  | { readonly kind: 'on'; readonly level: BoxLevel; readonly program: string; readonly reason: string }
  | { readonly kind: 'off'; readonly reason: string; readonly fix: string };

/**
 * How copies of a work tree are shown: above what the checkout ignores, with a copy of that in them, or by no box, at a path of
 * their own.
 */
export type Showing = 'layers' | 'whole' | 'elsewhere';

/** A copy of the work tree that a box shows in the place of the checkout. Absolute paths. */
export type ShownCopy = {
  /** Its own files: what programs write goes there. */
  readonly files: string;
  /** What is ignored in the checkout, as layers below them, the uppermost first; `null`: it is among the files. */
  readonly seed: readonly string[] | null;
  /** Its own git folder, and where its objects are read from besides; `null`: it has one among its files. */
  readonly git: { readonly folder: string; readonly objects: string } | null;
  /** The folder of its slot. */
  readonly folder: string;
  /** Absolute paths of what git ignores in the checkout: where links in there lead is seen, too. Absent: nowhere. */
  readonly ignored?: () => readonly string[];
};

/** Where the objects of the repository are seen in the box of a copy. */
export const OBJECTS_IN_BOX = '/run/objects';

/** Where objects of submodules are seen there: those that ralph keeps, and those of the checkout. */
export const BOX_SUBMODULES = {
  root: '/run/submodules',
  kept: '/run/submodules/kept',
  modules: '/run/submodules/modules',
} as const;

/**
 * How often the box of one launch is made: what it covers may go meanwhile, such as the socket of a server that ends, and bubblewrap
 * gives up.
 */
export const MOST_BOXES = 3;

/** The channel of a process that was started with one (`ipc`): servers that listen in a box come by it. */
export type BoxChannel = {
  readonly connected: boolean;
  readonly on: (event: 'message', heard: (message: unknown, handle: unknown) => void) => unknown;
  readonly send: (message: string, done: () => void) => unknown;
};

/** The box of one launch. */
export type OpenedBox = {
  readonly program: string;
  /** All arguments of bubblewrap in front of `--`, `front` and the program's own path. */
  readonly args: readonly string[];
  /** What makes the way to listed hosts inside and then becomes the program; empty: there is none. */
  readonly front: readonly string[];
  /** Answers `front`, which needs a channel; `null`: it doesn't. */
  readonly serve: ((channel: BoxChannel) => void) | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of this box alone; nothing inside can write to it but to what it has of its own. */
  readonly folder: string;
  /** Where bubblewrap writes what became of the program; it gets that file as descriptor 3. */
  readonly statusFile: string;
  /** Processes are isolated, too: the kernel ends all of them with the box. */
  readonly holdsProcesses: boolean;
  /** Whether it started the program, as far as is known when that has ended. */
  readonly hasStarted: () => boolean;
  /** Where a file of the agent lies, by its path below the home folder; `null`: it has no folder of its own. */
  readonly agentFile: (path: string) => string | null;
  /** The box has ended. Never throws. */
  readonly close: () => void;
};
