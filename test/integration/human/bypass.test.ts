/** @module-tag slow */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from 'ralph-kit/files/sha256';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloadOf } from '../../../src/app/human/authority.ts';
import { checkLog } from '../../../src/app/human/check-log.ts';
import { decideGate, findOption } from '../../../src/app/human/decide-gate.ts';
import { acceptTrust, checkTrust } from '../../../src/app/setup/check-trust.ts';
import { inWorkspace, type Workspace } from '../../../src/app/setup/workspace.ts';
import { requestFrom } from '../../../src/decide/index.ts';
import {
  type AuditEntry,
  type GateFacts,
  type GateOption,
  type GateRequest,
  type HumanGateName,
  NO_GATE_FACTS,
} from '../../../src/domain/human/gate.ts';
import type { Clock } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { chained, entryOf } from '../../../src/respond/human/index.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

// What a program inside of an agent's tree could put on record if it had the repository's key: it has none of yours.

type Key = { readonly file: string; readonly key: string };

function makeKey(): Key {
  const folder = join(temporaryFolder(), 'keys');
  mkdirSync(folder);
  const file = join(folder, 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
  return { file, key: readFileSync(`${file}.pub`, 'utf8').trim() };
}

const MINE = 'person@example.com';
const LEAD = 'lead@example.com';
let mine: Key;
let lead: Key;
let stranger: Key;

beforeAll(() => {
  process.env.RALPH_TRUST = '1';
  [mine, lead, stranger] = [makeKey(), makeKey(), makeKey()];
});
afterAll(() => {
  delete process.env.RALPH_TRUST;
});

const people = () =>
  `[human.people."${MINE}"]\nrole = "developer"\nkeys = ["${mine.key}"]\n[human.people."${LEAD}"]\nrole = "tech_lead"\nkeys = ["${lead.key}"]\n`;

function repository(settings = ''): TestRepository {
  const one = makeRepository({
    '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${settings}${people()}`,
  });
  one.git('config', 'user.email', MINE);
  return one;
}

const OPENED = '2026-03-01T10:00:00.000Z';
const minutesLater = (minutes: number) => new Date(Date.parse(OPENED) + minutes * 60_000).toISOString();
const clockAt = (now: string): Clock => ({ ...systemClock(), now: () => now });

/** Works in the repository as if it were another time. */
async function at<R>(one: { readonly root: string }, now: string, work: (workspace: Workspace) => R) {
  const done = await inWorkspace({ cwd: one.root, clock: clockAt(now) }, async (workspace) => ({
    ok: true as const,
    value: await work(workspace),
  }));
  if (!done.ok) throw new Error(done.message);
  return done.value;
}

function open(
  workspace: Workspace,
  gate: HumanGateName,
  facts: Partial<GateFacts> & { readonly taskId: string },
): GateRequest {
  const draft = {
    gate,
    facts: { ...NO_GATE_FACTS, ...facts },
    triggers: [{ gate, name: 'tests_removed' as const, text: '2 tests removed' }],
    action: null,
  };
  const opening = { draft, at: OPENED, run: 'r-1', iteration: 1, gates: workspace.config.human.gates };
  workspace.store.commit(({ human }) => [
    { type: 'human_gate_opened', request: requestFrom(opening, human) },
  ]);
  const request = workspace.store.state.human.requests.at(-1);
  if (request === undefined) throw new Error('nothing was opened');
  return request;
}

/** Decides a request as you do. */
async function decide(workspace: Workspace, request: GateRequest, wanted: string, key: Key | null = mine) {
  const option = findOption(request, wanted);
  if (!option.ok) throw new Error(option.message);
  const answer = { reason: 'fine', guidance: null, agent: null, key: key?.file ?? null };
  return decideGate(workspace, request, option.entry, answer);
}

/** Returns a signature in your name of any text. */
function signed(payload: string, by: Key, namespace = 'ralph-human-gate'): string {
  const args = ['-q', '-Y', 'sign', '-n', namespace, '-f', by.file];
  return execFileSync('ssh-keygen', args, { input: payload, encoding: 'utf8', stdio: 'pipe' });
}

type Forgery = {
  readonly option?: GateOption;
  readonly reason?: string;
  readonly user?: string;
  /** The payload and its signature, from the honest payload. */
  readonly sign: (payload: string, workspace: Workspace) => AuditEntry['signature'];
};

/** Puts a decision on record as whoever has the repository's key could. */
function forge(workspace: Workspace, request: GateRequest, forgery: Forgery): void {
  const { option = 'legitimate', reason = 'fine', user = MINE, sign } = forgery;
  const when = minutesLater(5);
  const payload = payloadOf(workspace, request, { option, reason, guidance: '', agent: null, at: when });
  const by = { user, role: 'developer', signature: sign(payload, workspace) };
  const entry = entryOf(request, { kind: 'decision', decision: option, at: when, feedback: reason, by });
  workspace.store.commit(({ human }) => [
    {
      type: 'human_gate_decided',
      decision: {
        ...{ request: request.id, option, reason, guidance: '', agent: null },
        by: { ...by, signature: null },
      },
    },
    { type: 'audit_logged', line: chained(human.audit.head, entry, sha256) },
  ]);
  workspace.store.writeViews();
}

const by =
  (who: () => Key, change: (payload: string) => string = (payload) => payload, namespace?: string) =>
  (payload: string): AuditEntry['signature'] => {
    const text = signed(change(payload), who(), namespace);
    return { key: who().key, payload: change(payload), text };
  };

describe('a signature', () => {
  const kindsOf = async (workspace: Workspace) => (await checkLog(workspace)).map(({ kind }) => kind);

  it('counts where it is yours, of this decision', async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      forge(workspace, open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' }), {
        sign: by(() => mine),
      });
      expect(await checkLog(workspace)).toEqual([]);
    });
  });

  const changed = (member: string, value: unknown) => (payload: string) =>
    JSON.stringify({ ...JSON.parse(payload), [member]: value });

  it.each<[string, Forgery]>([
    ['none at all', { sign: () => null }],
    ['by another key', { sign: by(() => stranger) }],
    [
      'by another key that says it is yours',
      { sign: (payload) => ({ key: mine.key, payload, text: signed(payload, stranger) }) },
    ],
    ['made for another purpose', { sign: by(() => mine, undefined, 'git') }],
    [
      'over a payload that was changed after it',
      {
        option: 'whitelist',
        sign: (payload) => ({
          ...{ key: mine.key, payload },
          text: signed(changed('option', 'legitimate')(payload), mine),
        }),
      },
    ],
    ['of another option', { option: 'whitelist', sign: by(() => mine, changed('option', 'needs-review')) }],
    ['of another request', { sign: by(() => mine, changed('request', 'G-7')) }],
    ['of another gate', { sign: by(() => mine, changed('gate', 'GATE-AP-RECOVERY')) }],
    ['of another task', { sign: by(() => mine, changed('task', 'T-2')) }],
    ['of another run', { sign: by(() => mine, changed('run', 'r-0')) }],
    ['of other facts', { sign: by(() => mine, changed('facts_sha256', sha256('other'))) }],
    ['of another change', { sign: by(() => mine, changed('diff_sha256', sha256('other'))) }],
    ['of an earlier time', { sign: by(() => mine, changed('at', minutesLater(1))) }],
    ['of another repository', { sign: by(() => mine, changed('repository', 'other')) }],
    ['of other words', { sign: by(() => mine, changed('reason', 'not fine')) }],
    ['of another user than the log says', { user: LEAD, sign: by(() => mine) }],
    ["that isn't a signature", { sign: (payload) => ({ key: mine.key, payload, text: 'signed' }) }],
    [
      "over what isn't a decision",
      {
        sign: by(
          () => mine,
          () => 'yes',
        ),
      },
    ],
  ])('%s is found', async (_what, forgery) => {
    await at(repository(), minutesLater(5), async (workspace) => {
      forge(workspace, open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' }), forgery);
      expect(await kindsOf(workspace)).toEqual(['signature']);
    });
  });

  it("of a developer doesn't count where a tech lead decides", async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      const request = open(workspace, 'GATE-AP-DESTRUCTIVE', { taskId: 'T-1', severity: 'critical' });
      forge(workspace, request, { sign: by(() => mine) });
      expect(await kindsOf(workspace)).toEqual(['signature']);
    });
  });

  it('that was put to a second line is found, whichever request it is of', async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      let first: AuditEntry['signature'] = null;
      const one = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
      forge(workspace, one, {
        sign: (payload) => {
          first = by(() => mine)(payload);
          return first;
        },
      });
      expect(await kindsOf(workspace)).toEqual([]);
      const other = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-2' });
      forge(workspace, other, { sign: () => first });
      expect(await kindsOf(workspace)).toEqual(['signature']);
      forge(workspace, one, { sign: () => first });
      expect(await kindsOf(workspace)).toEqual(['signature', 'signature']);
    });
  });

  it('is asked for of a request that is forgotten by now, too', async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      const request = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
      forge(workspace, { ...request, id: 'G-99' }, { sign: () => null });
      expect(await kindsOf(workspace)).toEqual(['signature']);
    });
  });

  it('a decision without a line of the log is found', async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      const { id } = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      const answer = { request: id, option: 'approve', reason: '', guidance: '', agent: null } as const;
      const decision = { ...answer, by: { user: MINE, role: 'developer', signature: null } };
      workspace.store.commit(() => [{ type: 'human_gate_decided', decision }]);
      expect(await kindsOf(workspace)).toEqual(['unlogged']);
    });
  });
});

describe('signing', () => {
  it('works with ssh-agent and the public half of the key alone', async () => {
    const key = makeKey();
    const socket = join(temporaryFolder(), 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await new Promise((resolve) => agent.stdout.once('data', resolve));
      process.env.SSH_AUTH_SOCK = socket;
      const one = repository();
      one.write(
        '.ralph/ralph.toml',
        `[loop]\nagent = "scripted"\n[human.people."${MINE}"]\nkeys = ["${key.key}"]\n`,
      );
      await at(one, minutesLater(5), async (workspace) => {
        const request = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
        const without = await decide(workspace, request, 'legitimate', null);
        expect(without).toMatchObject({
          ok: false,
          message: expect.stringContaining('in ssh-agent or ~/.ssh'),
        });
        execFileSync('ssh-add', ['-q', key.file]);
        rmSync(key.file);
        expect(await decide(workspace, request, 'legitimate', null)).toMatchObject({ ok: true });
        expect(await checkLog(workspace)).toEqual([]);
      });
    } finally {
      delete process.env.SSH_AUTH_SOCK;
      agent.kill();
    }
  });

  it('says how to make a key where you have none', async () => {
    const one = repository();
    one.write('.ralph/ralph.toml', '[loop]\nagent = "scripted"\n');
    await at(one, minutesLater(5), async (workspace) => {
      const request = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
      expect(await decide(workspace, request, 'legitimate', null)).toMatchObject({
        ok: false,
        message: expect.stringMatching(
          /ssh-keygen -t ed25519[\s\S]*\[human\.people\."person@example\.com"\][\s\S]*ralph trust/,
        ),
      });
    });
  });
});

describe('settings of who may decide', () => {
  it('count once you approved them, for a decision and for what is verified', async () => {
    delete process.env.RALPH_TRUST;
    try {
      const one = repository();
      await at(one, minutesLater(5), async (workspace) => {
        const { root, stateHome, config } = workspace;
        acceptTrust(stateHome, checkTrust({ root, stateHome, config, entries: workspace.configEntries() }));
        open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
      });
      one.write('.ralph/ralph.toml', one.read('.ralph/ralph.toml').replace(mine.key, stranger.key));
      await at(one, minutesLater(5), async (workspace) => {
        const [request] = workspace.store.state.human.requests;
        if (request === undefined) throw new Error('nothing is open');
        expect(await decide(workspace, request, 'legitimate', stranger)).toMatchObject({
          ok: false,
          next: 'ralph trust',
        });
        forge(workspace, request, { sign: by(() => stranger) });
        expect((await checkLog(workspace)).map(({ message }) => message)).toEqual([
          expect.stringContaining('ralph trust'),
        ]);
      });
    } finally {
      process.env.RALPH_TRUST = '1';
    }
  });

  it("are read for each check anew: a list of signers in the state home doesn't count", async () => {
    await at(repository(), minutesLater(5), async (workspace) => {
      const request = open(workspace, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1' });
      execFileSync('sh', [
        '-c',
        'mkdir -p "$0"; echo "$1" > "$0/allowed_signers"',
        workspace.stateHome,
        `${MINE} ${stranger.key}`,
      ]);
      forge(workspace, request, { sign: by(() => stranger) });
      expect((await checkLog(workspace)).map(({ kind }) => kind)).toEqual(['signature']);
    });
  });
});

describe('a changed clock', () => {
  const withTimeout = (more = '') => `[human.gates.GATE-AP-RECOVERY]\ntimeout = "10m"\n${more}`;

  it.each([
    [-1, false, 'open'],
    [0, true, 'decided'],
    [9, true, 'decided'],
    [10, false, 'blocked'],
    [60, false, 'blocked'],
  ])('%i minutes after a request opened: decided %s', async (minutes, ok, then) => {
    await at(repository(withTimeout()), minutesLater(minutes), async (workspace) => {
      const request = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      expect(await decide(workspace, request, 'approve', null)).toMatchObject({ ok });
      const { human, tasks } = workspace.store.state;
      expect(human.requests).toHaveLength(then === 'open' ? 1 : 0);
      expect(tasks['T-1']?.blocked === null).toBe(then !== 'blocked');
      expect(tasks['T-1']?.decisions.approved).toHaveLength(then === 'decided' ? 1 : 0);
      expect(await checkLog(workspace)).toEqual([]);
    });
  });

  it('an escalated request is decided after its time', async () => {
    const settings = withTimeout('on_timeout = "escalate"\n');
    await at(repository(settings), minutesLater(20), async (workspace) => {
      const request = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      expect(await decide(workspace, request, 'approve', null)).toMatchObject({ ok: true });
      const [timeout, decision] = workspace.store.state.human.audit.lines;
      expect([timeout?.kind, decision?.kind]).toEqual(['timeout', 'decision']);
    });
  });

  it('set back brings no request back whose time was over', async () => {
    const one = repository(withTimeout());
    const request = await at(one, minutesLater(20), async (workspace) => {
      const opened = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      await decide(workspace, opened, 'approve', null);
      return opened;
    });
    await at(one, minutesLater(1), async (workspace) => {
      expect(await decide(workspace, request, 'approve', null)).toMatchObject({ ok: false });
      expect(workspace.store.state.tasks['T-1']).toMatchObject({ blocked: { reason: 'human_rejected' } });
    });
  });

  it.each([
    ['before its request', -5],
    ['after its time', 15],
  ])('a decision %s is found in the log', async (_what, minutes) => {
    await at(repository(withTimeout()), minutesLater(1), async (workspace) => {
      const request = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      const answer = {
        request: request.id,
        option: 'approve',
        reason: '',
        guidance: '',
        agent: null,
      } as const;
      const who = { user: MINE, role: 'developer', signature: null };
      const when = minutesLater(minutes);
      const entry = entryOf(request, {
        kind: 'decision',
        decision: 'approve',
        at: when,
        feedback: '',
        by: who,
      });
      workspace.store.commit(({ human }) => [
        { type: 'human_gate_decided', decision: { ...answer, by: who } },
        { type: 'audit_logged', line: chained(human.audit.head, entry, sha256) },
      ]);
      workspace.store.writeViews();
      expect((await checkLog(workspace)).map(({ kind }) => kind)).toEqual(['time']);
    });
  });
});

describe('a copied .ralph/', () => {
  it('says nothing in another clone: no request, no decision, no approval', async () => {
    const one = repository();
    await at(one, minutesLater(5), async (workspace) => {
      const request = open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
      open(workspace, 'GATE-AP-RECOVERY', { taskId: 'T-2' });
      await decide(workspace, request, 'approve', null);
    });
    const clone = makeRepository({ 'README.md': 'hello\n' });
    cpSync(one.path('.ralph'), clone.path('.ralph'), { recursive: true });
    await at(clone, minutesLater(5), async (workspace) => {
      const { human, tasks } = workspace.store.state;
      expect({ ...human, audit: human.audit.lines }).toMatchObject({ requests: [], decided: [], audit: [] });
      expect(tasks['T-1']?.decisions.approved ?? []).toEqual([]);
      expect((await checkLog(workspace)).length).toBeGreaterThan(0);
    });
  });
});
