import type { DoctorFacts, RepositoryFacts, StoreFacts } from '../../../src/app/doctor/facts.ts';

export const REPOSITORY: RepositoryFacts = {
  top: '/repo',
  head: 'abc',
  branch: 'main',
  linkedWorktree: false,
  submodules: 0,
  sparse: false,
  inProgress: [],
  indexLock: null,
  identity: true,
  checkpoints: 3,
  localIgnored: true,
  trackedLocal: [],
};

export const STORE: StoreFacts = {
  dir: '/repo/.ralph',
  folder: 'folder',
  writable: true,
  stateHome: { path: '/state', writable: true },
  freeBytes: 50e9,
  locks: [],
  orphans: [],
  incidents: [],
  halfRolledBack: null,
  journal: { kind: 'read', records: 12, bytes: 3000, newer: 0 },
  interrupted: null,
  setAside: [],
  damaged: [],
  runs: { count: 2, bytes: 4000 },
};

/** A machine and a repository where nothing is wrong. */
export const HEALTHY: DoctorFacts = {
  machine: {
    platform: 'linux',
    node: '20.19.0',
    perl: '/usr/bin/perl',
    supervision: { kind: 'subreaper', detail: 'every descendant is ended' },
  },
  git: { version: 'git version 2.40.0', problem: null, repository: REPOSITORY, noRepository: null },
  config: { problems: [], warnings: [], entries: [], projectFile: true, commits: true },
  tracker: {
    kind: 'read',
    name: '.ralph/PRD.md',
    format: 'markdown-prd',
    counts: { open: 2 },
    total: 2,
    problems: [],
    dependencies: [],
  },
  agents: {
    builtIn: [{ name: 'claude', path: '/bin/claude', version: '2.1', signedIn: ['ANTHROPIC_API_KEY'] }],
    runners: [],
    configured: 'auto',
    chosen: 'claude',
    chosenFound: true,
    problem: null,
    fallbackProblems: [],
    reviewed: [{ name: 'claude', by: 'hook', refusesRoot: false }],
    review: { enabled: true, requireGate: false },
  },
  gates: [{ name: 'test', run: 'npm test', tool: 'npm', found: true, onMissing: 'fail' }],
  trust: { kind: 'trusted', items: [{ kind: 'gate', name: 'test', text: 'npm test' }], byEnvironment: false },
  store: STORE,
  ralphGold: { moved: [], ignored: [], rootFile: false, imported: null, toImport: [] },
};
