import type { AgentHome } from 'ralph-kit/agent-home';
import type { KeptSignIn } from './agent-home.ts';
import type { RefusedCommand } from './notes.ts';
import type { BoxRole, BoxStatus } from './protocol/index.ts';
import type { BoxSettings } from './protocol/settings.ts';

export type BoxOptions = {
  readonly status: Extract<BoxStatus, { kind: 'on' }>;
  readonly isForeign: boolean;
  readonly settings: BoxSettings;
  /** Names of variables that gates get in addition (`[gates] env`). */
  readonly variables: readonly string[];
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly stateHome: string;
  /** Folder of the program that opens the boxes, which each box shows; absolute. */
  readonly ownProgram: string;
  /** ralph's folder: its records of the work tree, absolute. */
  readonly records: string;
  readonly home: string;
  /** Absolute real paths that only the gate they are held out for may see. */
  readonly heldOut: readonly string[];
  readonly by: () => string;
  /** Returns absolute paths of instruction files: the task list in use and prompts. */
  readonly instructions: () => readonly string[];
  /** Folder for the boxes' own folders; `makesFolders` allows making missing protected folders. */
  readonly folder: string;
  readonly makesFolders: boolean;
  readonly agents: readonly AgentHome[];
  /** Called for each command that needs your decision and was refused because an agent called it. */
  readonly onRefused: (command: RefusedCommand) => void;
  /** Called once for each host that was requested but isn't listed. */
  readonly onHostRefused: (host: RefusedHost) => void;
  /** Called when an agent's sign-in changed in its box and was not written back to yours. */
  readonly onSignInKept: (agent: string, kept: KeptSignIn) => void;
};

export type RefusedHost = {
  readonly setting: 'network' | 'gate_network';
  readonly entry: string;
  readonly role: BoxRole;
};
