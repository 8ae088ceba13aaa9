// A machine and a repository where nothing is wrong, as each check gathers it.

import type { Check } from '../../../src/app/doctor/check.ts';
import type { agentsCheck } from '../../../src/app/doctor/checks/agents.ts';
import type { configCheck } from '../../../src/app/doctor/checks/config.ts';
import type { foldersCheck } from '../../../src/app/doctor/checks/folders.ts';
import type { gatesCheck } from '../../../src/app/doctor/checks/gates.ts';
import type { gitCheck } from '../../../src/app/doctor/checks/git.ts';
import type { journalCheck } from '../../../src/app/doctor/checks/journal.ts';
import type { locksCheck } from '../../../src/app/doctor/checks/locks.ts';
import type { machineCheck } from '../../../src/app/doctor/checks/machine.ts';
import type { ralphGoldCheck } from '../../../src/app/doctor/checks/ralph-gold.ts';
import type { recordsCheck } from '../../../src/app/doctor/checks/records.ts';
import type { stopsCheck } from '../../../src/app/doctor/checks/stops.ts';
import type { ListProblem } from '../../../src/app/doctor/checks/task-list.ts';
import type { tasksCheck } from '../../../src/app/doctor/checks/tasks.ts';
import type { trustCheck } from '../../../src/app/doctor/checks/trust.ts';

type FactsOf<C> = C extends Check<infer F> ? F : never;
type GitFacts = FactsOf<typeof gitCheck>;

export const REPOSITORY: NonNullable<GitFacts['repository']> = {
  top: '/repo',
  head: 'abc',
  branch: 'main',
  linkedWorktree: false,
  submodules: 0,
  sparse: false,
  operation: null,
  locks: [],
  identity: true,
  checkpoints: 3,
  localIgnored: true,
  trackedLocal: [],
};

export const GIT: GitFacts = {
  version: 'git version 2.40.0',
  problem: null,
  repository: REPOSITORY,
  noRepository: null,
  blockedBy: null,
  commits: true,
};

export const CONFIG: FactsOf<typeof configCheck> = {
  problems: [],
  warnings: [],
  unknownKeys: [],
  entries: [],
  projectFile: true,
};

export const TRUST: FactsOf<typeof trustCheck> = {
  kind: 'trusted',
  items: [{ kind: 'gate', name: 'test', text: 'npm test' }],
  isForged: false,
  problems: [],
  byEnvironment: false,
};

export const TRACKER = {
  kind: 'read',
  unverified: [],
  others: [],
  name: '.ralph/PRD.md',
  format: 'markdown-prd',
  counts: { open: 2 },
  total: 2,
  problems: [] as readonly ListProblem[],
  canStart: true as boolean,
} satisfies FactsOf<typeof tasksCheck>;

export const GATES = [
  { name: 'test', run: 'npm test', tool: 'npm', found: true, onMissing: 'fail' },
] as const satisfies FactsOf<typeof gatesCheck>;

export const AGENTS: FactsOf<typeof agentsCheck> = {
  builtIn: [{ name: 'claude', path: '/bin/claude', version: '2.1', signedIn: ['ANTHROPIC_API_KEY'] }],
  runners: [],
  configured: 'auto',
  chosen: 'claude',
  chosenFound: true,
  problem: null,
  fallbackProblems: [],
  reviewed: [{ name: 'claude', by: 'hook', refusesRoot: false }],
  review: { enabled: true, requireGate: false },
  roleAgents: [],
  roleProblem: null,
  downgrades: [],
  hasBudget: false,
};

export const MACHINE: FactsOf<typeof machineCheck> = {
  platform: 'linux',
  node: '20.19.0',
  perl: '/usr/bin/perl',
  supervision: { kind: 'subreaper', detail: 'every descendant is ended' },
};

export const FOLDERS: FactsOf<typeof foldersCheck> = {
  dir: '/repo/.ralph',
  folder: 'folder',
  isBoxedOff: false,
  writable: true,
  stateHome: { path: '/state', writable: true },
  freeBytes: 50e9,
};

export const LOCKS: FactsOf<typeof locksCheck> = { locks: [], orphans: [] };

export const JOURNAL: FactsOf<typeof journalCheck> = {
  journal: { kind: 'read', records: 12, bytes: 3000, newer: 0 },
  interrupted: [],
};

export const RECORDS: FactsOf<typeof recordsCheck> = {
  setAside: [],
  damaged: [],
  runs: { count: 2, bytes: 4000 },
};

export const STOPS: FactsOf<typeof stopsCheck> = { stop: null, incidents: [], halfRolledBack: [] };

export const RALPH_GOLD: FactsOf<typeof ralphGoldCheck> = {
  rootFile: false,
  imported: null,
  toImport: [],
};
