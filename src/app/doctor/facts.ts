import type { ConfigProblem } from '../../domain/config.ts';
import type { ConfigEntry, TrustItem } from '../setup/trust-items.ts';

/** What `ralph doctor` sees of the world; `findings.ts` decides from this alone. Paths are absolute. */
export type DoctorFacts = {
  readonly machine: MachineFacts;
  readonly git: GitFacts;
  readonly config: ConfigFacts;
  readonly tracker: TrackerFacts | null;
  readonly agents: AgentFacts;
  readonly gates: readonly GateFacts[];
  readonly trust: TrustFacts | null;
  readonly store: StoreFacts;
  readonly ralphGold: RalphGoldFacts;
};

export type MachineFacts = {
  readonly platform: string;
  readonly node: string;
  /** Where perl is; `null` when there is none. */
  readonly perl: string | null;
  readonly supervision: { readonly kind: 'subreaper' | 'group-scan'; readonly detail: string };
};

export type GitFacts = {
  /** Output of `git --version`; `null` when git cannot be started. */
  readonly version: string | null;
  /** What is wrong with git itself. */
  readonly problem: string | null;
  readonly repository: RepositoryFacts | null;
  /** Why there is none that can be used. */
  readonly noRepository: string | null;
};

export type RepositoryFacts = {
  readonly top: string;
  /** `null` before the first commit. */
  readonly head: string | null;
  /** `null` when detached. */
  readonly branch: string | null;
  readonly linkedWorktree: boolean;
  readonly submodules: number;
  readonly sparse: boolean;
  /** `merge`, `rebase`, …: begun and not finished. */
  readonly inProgress: readonly string[];
  /** Path of `index.lock`, when it is there, and its age in seconds. */
  readonly indexLock: { readonly path: string; readonly ageSeconds: number } | null;
  /** Whether git knows who commits. */
  readonly identity: boolean;
  readonly checkpoints: number;
  /** Whether ralph's own files are ignored. */
  readonly localIgnored: boolean;
  /** Own files of ralph that git tracks. */
  readonly trackedLocal: readonly string[];
};

export type ConfigFacts = {
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  /** Empty when the configuration has problems. */
  readonly entries: readonly ConfigEntry[];
  readonly projectFile: boolean;
  readonly commits: boolean;
};

export type TrackerFacts =
  | { readonly kind: 'github'; readonly gh: boolean }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'read';
      readonly name: string;
      readonly format: string;
      readonly counts: Readonly<Record<string, number>>;
      readonly total: number;
      /** Each with its line where it has one. */
      readonly problems: readonly string[];
      /** Unknown dependencies and cycles: nothing runs with them. */
      readonly dependencies: readonly string[];
    };

export type BuiltInFacts = {
  readonly name: string;
  readonly path: string | null;
  /** First line of `--version`; `null` when it did not answer in time. */
  readonly version: string | null;
  /** What speaks for being signed in: a file or the name of a variable. Empty: nothing was found. */
  readonly signedIn: readonly string[];
};

export type RunnerFacts = {
  readonly name: string;
  readonly program: string;
  readonly found: boolean;
  /** Takes the place of a built-in agent and reads it as plain text. */
  readonly hidesBuiltIn: boolean;
};

export type AgentFacts = {
  readonly builtIn: readonly BuiltInFacts[];
  readonly runners: readonly RunnerFacts[];
  /** What `[loop] agent` says, and the agent that a run would take. */
  readonly configured: string;
  readonly chosen: string | null;
  /** Whether the chosen agent's program is there. */
  readonly chosenFound: boolean;
  readonly problem: { readonly message: string; readonly next: string | null } | null;
  /** Agents of `[loop] fallback` that would be left out of a run or keep it from starting, as a run says it. */
  readonly fallbackProblems: readonly string[];
  /** The agents that a run would use, in their order, and how their actions could be reviewed. */
  readonly reviewed: readonly ReviewedAgent[];
  /** `[review]` */
  readonly review: { readonly enabled: boolean; readonly requireGate: boolean };
};

export type ReviewedAgent = {
  readonly name: string;
  /** `gate`: it can be made to ask; `stream`: what it does can be read; `nothing`: it prints plain text. */
  readonly by: 'hook' | 'stream' | 'nothing';
  /** It refuses to work without asking as root, which ralph runs as. */
  readonly refusesRoot: boolean;
};

export type GateFacts = {
  readonly name: string;
  readonly run: string;
  /** First word of the command; `null` where the shell alone can tell. */
  readonly tool: string | null;
  readonly found: boolean;
  readonly onMissing: 'fail' | 'warn' | 'skip';
};

export type TrustFacts = {
  readonly kind: 'nothing_runs' | 'trusted' | 'untrusted';
  readonly items: readonly TrustItem[];
  /** `RALPH_TRUST` is set. */
  readonly byEnvironment: boolean;
};

export type LockFacts = {
  readonly name: string;
  readonly state: 'live' | 'dead' | 'damaged' | 'other_host';
  readonly holder: { readonly pid: number; readonly host: string; readonly run: string | null } | null;
};

export type StoreFacts = {
  /** Where `.ralph` would be. */
  readonly dir: string;
  readonly folder: 'absent' | 'folder' | 'no_folder';
  readonly writable: boolean;
  readonly stateHome: { readonly path: string; readonly writable: boolean } | null;
  /** Free bytes for a person without special rights; `null` where the system does not tell. */
  readonly freeBytes: number | null;
  readonly locks: readonly LockFacts[];
  readonly orphans: readonly { readonly pid: number; readonly command: string }[];
  readonly journal: JournalFacts;
  /** An attempt without an end, while no run is going on. */
  readonly interrupted: {
    readonly taskId: string;
    readonly iteration: number;
    readonly startedAt: string;
  } | null;
  /** Emergency stops that nobody has settled, and a rollback that was cut off. */
  readonly incidents: readonly { readonly id: string; readonly summary: string }[];
  readonly halfRolledBack: string | null;
  /** Files that were set aside, and documents that are damaged now; relative to `.ralph`. */
  readonly setAside: readonly string[];
  readonly damaged: readonly string[];
  readonly runs: { readonly count: number; readonly bytes: number };
};

export type JournalFacts =
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly records: number; readonly bytes: number; readonly newer: number }
  /** The last record was cut off by a crash. */
  | { readonly kind: 'partial'; readonly records: number; readonly cutBytes: number }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

export type RalphGoldFacts = {
  /** Keys of `.ralph/ralph.toml` that were translated: as written there, and what they are here. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Settings without a counterpart. */
  readonly ignored: readonly string[];
  readonly rootFile: boolean;
  /** Taken over into the journal. */
  readonly imported: { readonly attempts: number; readonly blocked: number } | null;
  /** What the first command with a journal will take over. */
  readonly toImport: readonly string[];
};
