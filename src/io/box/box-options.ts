import type { AgentHome, BoxRole, BoxStatus, Inherits, Opened, ShownCopy } from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import type { KeptSignIn } from './agent-home.ts';
import type { RefusedCommand } from './notes.ts';

export type BoxLaunch = {
  readonly role: BoxRole;
  /** Absolute path of what is started. */
  readonly program: string;
  readonly cwd: string;
  readonly env: Environment;
  /** What it needs to see beside what its role gives it: the folders of its hook. */
  readonly visible: readonly string[];
  /** A folder of its own that it may write to. */
  readonly writable?: readonly string[];
  /** The agent's own folders; `null` for what isn't an agent, or has none. */
  readonly home: AgentHome | null;
  readonly agent: string;
  /** Stands in the place of the work tree; the repository can only be read then. Absent: the work tree itself. */
  readonly copy?: ShownCopy | undefined;
  /** What it gets of the environment; absent: what gates get. */
  readonly inherits?: Inherits | undefined;
  /** Names of variables that it gets besides. */
  readonly also?: readonly string[];
  /** What only this launch sees of `BoxOptions.heldOut`; `null`: nothing. */
  readonly heldOut?: string | null;
  /** Shown as well, to find out what is needed. */
  readonly opened?: Opened | undefined;
};

export type BoxOptions = {
  readonly status: Extract<BoxStatus, { kind: 'on' }>;
  readonly isForeign: boolean;
  readonly settings: Config['box'];
  /** `[gates] env`: names of variables that gates get, too. */
  readonly variables: readonly string[];
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly stateHome: string;
  readonly home: string;
  /** What no program sees but the gate that each was held out for: absolute, links followed. */
  readonly heldOut: readonly string[];
  /** Who is at work, for the screen. */
  readonly by: () => string;
  /** Absolute paths of the files that are instructions: the task list in use, prompts. */
  readonly instructions: () => readonly string[];
  /** Where its own folders are made, and whether what it protects is made where it isn't there. */
  readonly folder: string;
  readonly makesFolders: boolean;
  readonly agents: readonly AgentHome[];
  /** A command that decides for you was called from inside, and refused. */
  readonly onRefused: (command: RefusedCommand) => void;
  /** A host was asked for that isn't listed: called once for each. */
  readonly onHostRefused: (host: RefusedHost) => void;
  /** An agent's sign-in changed in its box, and was not carried back to yours. */
  readonly onSignInKept: (agent: string, kept: KeptSignIn) => void;
};

/** A host, as it has to be written to the setting that doesn't list it. */
export type RefusedHost = {
  readonly setting: 'network' | 'gate_network';
  readonly entry: string;
  readonly role: BoxRole;
};
