import { describe, expect, it } from 'vitest';
import type { Check, DoctorFinding } from '../../../src/app/doctor/check.ts';
import { agentsCheck } from '../../../src/app/doctor/checks/agents.ts';
import { chatsCheck } from '../../../src/app/doctor/checks/chats.ts';
import { configCheck } from '../../../src/app/doctor/checks/config.ts';
import { foldersCheck } from '../../../src/app/doctor/checks/folders.ts';
import { gatesCheck } from '../../../src/app/doctor/checks/gates.ts';
import { gitCheck } from '../../../src/app/doctor/checks/git.ts';
import { journalCheck } from '../../../src/app/doctor/checks/journal.ts';
import { locksCheck } from '../../../src/app/doctor/checks/locks.ts';
import { machineCheck } from '../../../src/app/doctor/checks/machine.ts';
import { ralphGoldCheck } from '../../../src/app/doctor/checks/ralph-gold.ts';
import { recordsCheck } from '../../../src/app/doctor/checks/records.ts';
import { stopsCheck } from '../../../src/app/doctor/checks/stops.ts';
import { tasksCheck } from '../../../src/app/doctor/checks/tasks.ts';
import { telemetryCheck } from '../../../src/app/doctor/checks/telemetry.ts';
import { trustCheck } from '../../../src/app/doctor/checks/trust.ts';
import * as healthy from './facts.ts';

const operation = (what: string) => ({
  what: `a ${what}`,
  finish: `git ${what} --continue`,
  giveUp: `git ${what} --abort`,
});
const BISECT = { what: 'a bisect', finish: 'git bisect reset', giveUp: 'git bisect reset' };

/** Returns what a check finds if nothing is wrong besides these facts. */
const judging =
  <F extends object>({ judge }: Check<F>, facts: F) =>
  (change: Partial<F> = {}): DoctorFinding[] =>
    judge({ ...facts, ...change });

const git = judging(gitCheck, healthy.GIT);
const repository = (change: Partial<typeof healthy.REPOSITORY>, commits = true) =>
  git({ repository: { ...healthy.REPOSITORY, ...change }, commits });
const config = judging(configCheck, healthy.CONFIG);
const machine = judging(machineCheck, healthy.MACHINE);
const agents = judging(agentsCheck, healthy.AGENTS);
const folders = judging(foldersCheck, healthy.FOLDERS);
const locks = judging(locksCheck, healthy.LOCKS);
const journal = judging(journalCheck, healthy.JOURNAL);
const records = judging(recordsCheck, healthy.RECORDS);
const stops = judging(stopsCheck, healthy.STOPS);
const gold = judging(ralphGoldCheck, healthy.RALPH_GOLD);
const unclear = { place: '.ralph/PRD.md:4', message: 'there is no title', blocks: 'a task' } as const;
const tracker = (change: Partial<typeof healthy.TRACKER>) =>
  tasksCheck.judge({ ...healthy.TRACKER, ...change });
const gates = gatesCheck.judge;
const trust = trustCheck.judge;
const chats = chatsCheck.judge;

const [gate] = healthy.GATES;
const holder = { pid: 7, host: 'here', run: 'r-1' };
const problem = { source: '.ralph/ralph.toml', line: 3, key: 'a', message: 'unknown key "a"' };
const open = { taskId: 'T-1', iteration: 4, startedAt: '2026-01-01T00:00:00Z' };

type Row = readonly [what: string, findings: DoctorFinding[], id: string, status: string, fix: RegExp];

const ROWS: readonly Row[] = [
  ['no git', git({ version: null, problem: 'x', repository: null }), 'git.found', 'error', /Install git/],
  ['old git', git({ problem: 'git is 1.8' }), 'git.version', 'error', /2\.30/],
  [
    'no repository',
    git({ repository: null, noRepository: { message: "/x isn't in a git repository.", next: 'git init' } }),
    'git.repository',
    'error',
    /^git init$/,
  ],
  [
    'a bare repository',
    git({ repository: null, noRepository: { message: '/x is a bare repository' } }),
    'git.repository',
    'error',
    /work tree/,
  ],
  ['no first commit', repository({ head: null }), 'git.first_commit', 'info', /git commit/],
  ['a detached HEAD, with commits', repository({ branch: null }), 'git.branch', 'warning', /git switch/],
  ['a detached HEAD, without', repository({ branch: null }, false), 'git.branch', 'info', /git switch/],
  [
    'a merge',
    repository({ operation: operation('merge') }),
    'git.in_progress',
    'error',
    /git merge --continue .*--abort/,
  ],
  ['a bisect', repository({ operation: BISECT }), 'git.in_progress', 'error', /^git bisect reset$/],
  [
    'an index lock',
    repository({ locks: [{ path: "/r/it's/index.lock", ageSeconds: 9 }] }),
    'git.lock',
    'warning',
    /rm '\/r\/it'\\''s\/index\.lock'/,
  ],
  ['no identity', repository({ identity: false }), 'git.identity', 'error', /git config user\.name/],
  ['submodules', repository({ submodules: 2 }), 'git.submodules', 'info', /git submodule/],
  ['a sparse checkout', repository({ sparse: true }), 'git.sparse', 'info', /sparse-checkout/],
  ['no ignore rules', repository({ localIgnored: false }), 'git.ignore', 'info', /ralph init/],
  [
    'tracked records',
    repository({ trackedLocal: ['.ralph/runs/a/b', '.ralph/runs/c', '.ralph/state.json'] }),
    'git.tracked',
    'warning',
    /^git rm -r --cached \.ralph\/runs \.ralph\/state\.json$/,
  ],
  [
    'a mistake in the configuration',
    config({ problems: [problem] }),
    'config.problem',
    'error',
    /ralph\.toml:3/,
  ],
  [
    'a warning of the configuration',
    config({ warnings: [problem] }),
    'config.warning',
    'warning',
    /ralph\.toml:3/,
  ],
  [
    'an unknown key in the configuration',
    config({ unknownKeys: [problem] }),
    'config.unknown_key',
    'warning',
    /ralph\.toml:3: ralph run doesn't start/,
  ],
  [
    'a setting under its old name',
    config({ warnings: [{ ...problem, message: '[files] prd is read as [tracker] path' }] }),
    'config.new_name',
    'info',
    /rename it when you like/,
  ],
  [
    'an untrusted repository',
    trust({ kind: 'untrusted', items: [], isForged: false, problems: [], byEnvironment: false }),
    'trust.state',
    'error',
    /^ralph trust$/,
  ],
  [
    'a module that can not be read',
    trust({
      kind: 'trusted',
      items: [],
      isForged: false,
      problems: ["./none.mjs: it can't be read: it doesn't exist"],
      byEnvironment: false,
    }),
    'trust.module',
    'error',
    /HANDLERS\.md/,
  ],
  [
    'trust by environment',
    trust({ kind: 'untrusted', items: [], isForged: false, problems: [], byEnvironment: true }),
    'trust.state',
    'info',
    /ralph trust/,
  ],
  [
    'tasks',
    tasksCheck.judge({ kind: 'failed', message: 'no task file was found', next: null }),
    'tasks.read',
    'error',
    /ralph init/,
  ],
  ['no tasks', tracker({ total: 0 }), 'tasks.read', 'error', /^ralph tasks add /],
  [
    'an unclear entry, and nothing else to do',
    tracker({ problems: [unclear], canStart: false }),
    'tasks.problem',
    'error',
    /PRD\.md/,
  ],
  ['an unclear entry', tracker({ problems: [unclear] }), 'tasks.problem', 'warning', /PRD\.md:4/],
  [
    'GitHub without gh',
    tasksCheck.judge({
      kind: 'service',
      id: 'tasks.github',
      name: 'GitHub issues',
      missing: 'gh',
      problem: '',
    }),
    'tasks.github',
    'error',
    /gh auth login/,
  ],
  [
    'Jira without a key',
    tasksCheck.judge({
      kind: 'service',
      id: 'tasks.jira',
      name: null,
      missing: null,
      problem: 'set JIRA_TOKEN',
    }),
    'tasks.jira',
    'error',
    /ralph tasks/,
  ],
  ['no gates', gates([]), 'gates.none', 'info', /\[gates\] commands/],
  ['a missing tool', gates([{ ...gate, found: false }]), 'gates.tool', 'error', /Install npm/],
  [
    'a tool that may be missing',
    gates([{ ...gate, found: false, onMissing: 'warn' }]),
    'gates.tool',
    'warning',
    /Install npm/,
  ],
  [
    'no agent',
    agents({ chosen: null, chosenFound: false, problem: { message: 'none', next: 'Install one' } }),
    'agents.chosen',
    'error',
    /Install one/,
  ],
  [
    'an agent that is not installed',
    agents({ chosen: 'codex', chosenFound: false }),
    'agents.chosen',
    'error',
    /^npm i -g @openai\/codex$/,
  ],
  ...(
    [
      ['/r/a.sh was not found', null, /argv in \[runners\.mine\]/],
      ['/r/a.sh may not be executed', 'chmod +x a.sh', /^chmod \+x a\.sh$/],
    ] as const
  ).map(
    ([why, fix, says]) =>
      [
        `an agent of yours that cannot be started: ${why}`,
        agents({
          ...{ chosen: 'mine', chosenFound: false },
          runners: [
            { name: 'mine', program: 'a.sh', problem: { why, fix }, hidesBuiltIn: false, hidden: [] },
          ],
        }),
        'agents.chosen',
        'error',
        says,
      ] as const,
  ),
  [
    'no sign of a login',
    agents({ builtIn: [{ name: 'claude', path: '/c', version: '2', signedIn: [] }] }),
    'agents.claude',
    'warning',
    /sign in/,
  ],
  [
    'no login of another agent',
    agents({ chosen: 'mine', builtIn: [{ name: 'claude', path: '/c', version: null, signedIn: [] }] }),
    'agents.claude',
    'info',
    /sign in/,
  ],
  [
    'a runner that hides the built-in agent',
    agents({
      runners: [{ name: 'claude', program: 'claude', problem: null, hidesBuiltIn: true, hidden: [] }],
    }),
    'agents.runner.claude',
    'warning',
    /Remove argv/,
  ],
  [
    'a runner without a program',
    agents({
      runners: [
        {
          name: 'x',
          program: 'x',
          problem: { why: 'x was not found in PATH', fix: null },
          hidesBuiltIn: false,
          hidden: [],
        },
      ],
    }),
    'agents.runner.x',
    'info',
    /Install x/,
  ],
  [
    'a fallback that is not there',
    agents({ fallbackProblems: ['The fallback agent pi is not installed; the run continues without it.'] }),
    'agents.fallback',
    'warning',
    /\[loop\] fallback/,
  ],
  [
    'claude as root',
    agents({ reviewed: [{ name: 'claude', by: 'hook', refusesRoot: true }] }),
    'agents.root.claude',
    'error',
    /IS_SANDBOX=1/,
  ],
  [
    'no review',
    agents({ review: { enabled: false, requireGate: false } }),
    'agents.review',
    'info',
    /enabled = true/,
  ],
  [
    'a required gate without a review',
    agents({ review: { enabled: false, requireGate: true } }),
    'agents.review',
    'warning',
    /enabled = true/,
  ],
  [
    'an agent that is only watched',
    agents({ reviewed: [{ name: 'mine', by: 'stream', refusesRoot: false }] }),
    'agents.review.mine',
    'info',
    /--agents/,
  ],
  [
    'an agent without the gate that is required',
    agents({
      reviewed: [{ name: 'mine', by: 'nothing', refusesRoot: false }],
      review: { enabled: true, requireGate: true },
    }),
    'agents.review.mine',
    'error',
    /require_gate = false/,
  ],
  [
    'a fallback without the gate that is required',
    agents({
      reviewed: [
        { name: 'claude', by: 'hook', refusesRoot: false },
        { name: 'mine', by: 'stream', refusesRoot: false },
      ],
      review: { enabled: true, requireGate: true },
    }),
    'agents.review.mine',
    'warning',
    /require_gate = false/,
  ],
  [
    'no perl',
    machine({
      perl: null,
      supervision: { kind: 'group-scan', detail: 'perl was not found' },
    }),
    'machine.supervision',
    'warning',
    /Install perl/,
  ],
  [
    'macOS',
    machine({
      platform: 'darwin',
      supervision: { kind: 'group-scan', detail: 'Linux only' },
    }),
    'machine.supervision',
    'warning',
    /on Linux/,
  ],
  ['a file in the place of .ralph', folders({ folder: 'no_folder' }), 'state.folder', 'error', /ralph init/],
  ['a read-only .ralph', folders({ writable: false }), 'state.folder', 'error', /chmod/],
  ['no .ralph', folders({ folder: 'absent' }), 'state.folder', 'info', /ralph init/],
  [
    'a read-only state home',
    folders({ stateHome: { path: '/s', writable: false } }),
    'state.home',
    'error',
    /XDG_STATE_HOME/,
  ],
  ['a full disk', folders({ freeBytes: 1000 }), 'state.space', 'error', /Make room/],
  ['little room', folders({ freeBytes: 500e6 }), 'state.space', 'warning', /Make room/],
  [
    'a run',
    locks({ locks: [{ name: 'run.lock', state: 'live', holder }] }),
    'state.lock.run',
    'info',
    /ralph status/,
  ],
  [
    'a dead lock',
    locks({ locks: [{ name: 'run.lock', state: 'dead', holder }] }),
    'state.lock.run',
    'info',
    /takes it over/,
  ],
  [
    'a damaged lock',
    locks({ locks: [{ name: 'state.lock', state: 'damaged', holder: null }] }),
    'state.lock.state',
    'info',
    /takes it over/,
  ],
  [
    'a lock of another machine',
    locks({ locks: [{ name: 'run.lock', state: 'other_host', holder }] }),
    'state.lock.run',
    'warning',
    /rm \.ralph\/run\.lock/,
  ],
  [
    'orphans',
    locks({
      orphans: [
        { pid: 42, command: 'sleep 9', started: '1' },
        { pid: 43, command: 'x', started: '2' },
      ],
    }),
    'state.orphans',
    'warning',
    /kill 42 43/,
  ],
  [
    'a cut record',
    journal({ journal: { kind: 'partial', records: 3, cutBytes: 8 } }),
    'state.journal',
    'info',
    /cuts it off/,
  ],
  [
    'a damaged journal',
    journal({ journal: { kind: 'damaged', reason: 'line 2' } }),
    'state.journal',
    'warning',
    /journal\.jsonl\.damaged/,
  ],
  [
    'an unreadable journal',
    journal({ journal: { kind: 'unreadable', reason: 'EACCES' } }),
    'state.journal',
    'error',
    /right to read/,
  ],
  [
    'a newer journal',
    journal({ journal: { kind: 'read', records: 3, bytes: 1, newer: 2 } }),
    'state.journal',
    'warning',
    /Update ralph/,
  ],
  [
    'a rollback that was cut off',
    stops({ halfRolledBack: ['r-1/2'] }),
    'state.rollback',
    'warning',
    /ralph rollback/,
  ],
  ['an interrupted attempt', journal({ interrupted: [open] }), 'state.interrupted', 'info', /ralph run/],
  ['damaged documents', records({ damaged: ['state.json'] }), 'state.damaged', 'warning', /journal/],
  [
    'files set aside',
    records({ setAside: ['state.json.edited-20260101T000000Z'] }),
    'state.set_aside',
    'info',
    /remove/,
  ],
  [
    'a chat without its token',
    chats({ telegram: { chat: 1, problem: "RALPH_TELEGRAM_TOKEN isn't set" }, ntfy: null }),
    'notify.telegram',
    'warning',
    /Answer from your phone/,
  ],
  [
    'an endpoint for OpenTelemetry',
    telemetryCheck.judge(['OTEL_EXPORTER_OTLP_ENDPOINT']),
    'telemetry.endpoint',
    'info',
    /METRICS\.md/,
  ],
  ['large runs', records({ runs: { count: 3, bytes: 9e9 } }), 'state.runs', 'info', /\.ralph\/runs/],
  ['a root ralph.toml', gold({ rootFile: true }), 'ralph_gold.root_file', 'warning', /\.ralph\/ralph\.toml/],
  ['state of ralph-gold', gold({ toImport: ['4 attempts'] }), 'ralph_gold.to_import', 'info', /imports it/],
];

const HEALTHY: readonly (readonly [what: string, findings: DoctorFinding[]])[] = [
  ['git', git()],
  ['config', config()],
  ['trust', trust(healthy.TRUST)],
  ['tasks', tracker({})],
  ['gates', gates(healthy.GATES)],
  ['agents', agents()],
  ['machine', machine()],
  ['folders', folders()],
  ['locks', locks()],
  ['journal', journal()],
  ['records', records()],
  ['stops', stops()],
  ['ralph-gold', gold()],
  ['no endpoint', telemetryCheck.judge([])],
  ['no chats', chats({ telegram: null, ntfy: null })],
  ['chats', chats({ telegram: { chat: 1, problem: null }, ntfy: { problem: null } })],
];

describe('findings', () => {
  it.each(HEALTHY)('of a healthy project are all ok: %s', (_what, findings) => {
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it.each(ROWS)('%s', (_what, findings, id, status, fix) => {
    const notOk = findings.filter((one) => one.status !== 'ok');
    expect(notOk.map((one) => [one.id, one.status])).toEqual([[id, status]]);
    expect(notOk[0]?.fix).toMatch(fix);
  });

  it('say what was imported from ralph-gold', () => {
    const findings = gold({
      imported: { attempts: 4, blocked: 1 },
    });
    expect(findings.map(({ detail }) => detail)).toEqual(['4 attempts and 1 blocked task from state.json']);
  });
});
