// What every adapter must do (`protocol.ts`), against what its agent really printed: test/fixtures/transcripts/NAME.
// A scenario that an agent was never recorded in is left out, the first four excepted.

import * as fc from 'fast-check';
import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import {
  EXIT_0,
  EXIT_1,
  eventsOf,
  IDLE,
  recording,
  recordings,
  report,
} from '../../../test/helpers/agent-recordings.ts';
import { AgentReport, type HookMessage } from './event.ts';
import type { HookPlace } from './hook.ts';
import { ADAPTERS, formatOf, interactiveHook, stopHookOf } from './index.ts';
import { AGENT_OUTPUTS, AGENT_SETTINGS, AGENTS } from './known.ts';
import { type Agent, type AgentRequest, lineReader } from './protocol.ts';

const DENY: Ruling = { decision: 'deny', rule: 'r', reason: 'because of the others' };
const ALLOW: Ruling = { decision: 'allow' };
const PLACE: HookPlace = {
  folder: '/state/hook',
  client: 'ask-ralph',
  socket: '/state/hook/s',
  token: 'token-1',
  patienceSeconds: 90,
};
const REQUEST: AgentRequest = {
  title: 'Write the parser',
  boxed: true,
  prompt: 'PROMPT-OF-THE-TASK',
  promptFile: '/repo/.ralph/prompt.md',
  cwd: '/repo',
  model: null,
  extraArgs: [],
  env: { RALPH_RUN: 'r-1' },
  resume: null,
  session: '00000000-0000-8000-8000-000000000001',
  reportFile: '/state/report.json',
  hook: null,
};
/** A path below a folder, without `~/`, `..` or a leading slash. */
const BELOW = /^(?!.*(?:^|\/)\.\.(?:\/|$))[^~/]/;
const STATUS = /RALPH_STATUS(?:: \{"status":"done"|\n)/;

/** Replaces one value somewhere in a JSON document by another. */
function damaged(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const entries = Object.entries(value);
  const hit = entries[step % Math.max(1, entries.length)];
  if (hit === undefined) return other;
  const replaced = { ...value, [hit[0]]: damaged(hit[1], rest, other) };
  return Array.isArray(value) ? Object.values(replaced) : replaced;
}

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const HOSTILE = [
  '',
  '{',
  'null',
  '[]',
  '{"__proto__":{"type":"result"}}',
  '{"type":"result","is_error":true,"errors":[null,{}],"usage":{"input_tokens":1e999}}',
  '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1e300}}',
  '{"type":"error","timestamp":1e300,"error":{"data":{"statusCode":429,"responseHeaders":{"retry-after":"1e300"}}}}',
  `${'{"type":'.repeat(20_000)}`,
  `{"type":"user","message":{"content":[{"type":"tool_result","content":${NESTED}}]}}`,
  `{"type":"tool.execution_complete","data":{"result":{"content":${NESTED}}}}`,
  `{"type":"item.started","item":{"type":"mcp_tool_call","arguments":{"a":${NESTED}}}}`,
];

/** What a denial of an agent's hook prints, with the exit code that denies whatever is printed. */
function answerOf({ hook }: Agent, message: HookMessage, ruling: Ruling): { text: string; exitCode: number } {
  return hook.transport === 'control channel'
    ? { text: hook.answer(message, ruling), exitCode: 0 }
    : hook.answer(message, ruling);
}

describe.each(Object.entries(ADAPTERS))('%s', (name, agent) => {
  const lines = [...recordings(name)].flatMap((scenario) => recording(name, scenario));
  const read = (scenario: string, end = EXIT_0) => report(eventsOf(agent, scenario), end);
  const recorded = (...scenarios: readonly string[]) =>
    scenarios.filter((scenario) => recordings(name).has(scenario));

  describe('the lists', () => {
    it('have its name and its format, which no other agent has', () => {
      expect(agent).toMatchObject({ name, output: AGENTS[agent.name].output });
      expect(AGENT_OUTPUTS.filter((output) => output === agent.output)).toHaveLength(1);
      const [line = ''] = recording(name, 'a-writes-file');
      expect(lineReader(formatOf(agent.output))(line)).toEqual(agent.parse(line));
    });
  });

  describe('plan', () => {
    const full = { ...REQUEST, model: 'big-model', extraArgs: ['--yours', 'x'], resume: 'id-of-session' };

    it('starts the program, with all that is asked for, and the prompt in no argument', () => {
      for (const hook of [null, PLACE]) {
        const { argv, env, stdin, session = null } = agent.plan({ ...full, hook });
        const words = argv.join(' ');
        expect(argv[0]).toBe(name);
        expect(words).toContain('big-model');
        expect(words).toContain('--yours x');
        expect([words, session ?? ''].join(' ')).toContain('id-of-session');
        expect(words).not.toContain(REQUEST.prompt);
        expect(env).toMatchObject(REQUEST.env);
        expect(stdin).toBe(
          hook !== null && agent.hook.transport === 'control channel' ? 'channel' : 'prompt',
        );
      }
    });

    it('sets up the hook only where it has a place, in files of its folder or on its channel', () => {
      const without = JSON.stringify(agent.plan(REQUEST));
      for (const word of [PLACE.folder, PLACE.client, PLACE.token]) expect(without).not.toContain(word);
      const { files = [], overlay, stdin, ...rest } = agent.plan({ ...REQUEST, hook: PLACE });
      for (const file of files) expect(file.name).toMatch(/^[\w-][\w.-]*$/);
      const reaches = JSON.stringify({ files, overlay, rest });
      if (stdin === 'channel') expect(agent.hook).toHaveProperty('opening');
      else expect(reaches.includes(PLACE.client) || reaches.includes(PLACE.token)).toBe(true);
    });
  });

  describe('parse', () => {
    const feed = (given: readonly string[]) => {
      const seen = report(given.flatMap(lineReader(agent)), EXIT_1);
      expect(AgentReport.parse(seen)).toEqual(seen);
    };

    it('never throws, over any lines', () => {
      const types = fc.constantFrom('result', 'assistant', 'error', 'text', 'message', 'item.completed');
      const line = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.record({ type: types }).map((one) => JSON.stringify(one)),
      );
      fc.assert(fc.property(fc.array(line, { maxLength: 8 }), feed), { numRuns: 100 });
      feed(HOSTILE);
    });

    it('never throws, over damaged recordings', () => {
      const damage = fc.record({
        at: fc.nat(lines.length - 1),
        path: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
        other: fc.jsonValue(),
      });
      fc.assert(
        fc.property(damage, ({ at, path, other }) => {
          const whole = lines[at] ?? '';
          feed([JSON.stringify(damaged(JSON.parse(whole), path, other)), whole.slice(0, whole.length / 2)]);
        }),
        { numRuns: 200 },
      );
    });

    it('reads what a session wrote, said and used', () => {
      const seen = read('a-writes-file');
      expect(seen).toMatchObject({ writeCalls: 1, ok: true, infrastructure: null, errors: [] });
      expect(seen.finalMessage).toMatch(STATUS);
      expect(seen.sessionId).toMatch(/\w{8,}/);
      const calls = eventsOf(agent, 'a-writes-file').flatMap((event) =>
        event.kind === 'tool_call' ? [event.action] : [],
      );
      expect(calls).toHaveLength(seen.toolCalls);
      expect(calls.filter(({ kind }) => kind === 'unknown')).toEqual([]);
      expect(calls.flatMap(({ paths }) => paths)).toContainEqual({
        path: expect.stringMatching(/src\/hello\.txt$/),
        change: 'write',
      });
      const isReported = agent.plan(REQUEST).report === undefined;
      expect(seen.usage.map(({ inputTokens }) => inputTokens > 0)).toEqual(isReported ? [true] : []);
    });

    it.each(recorded('b-no-files'))('%s: says something and does nothing', (scenario) => {
      expect(read(scenario)).toMatchObject({
        toolCalls: 0,
        writeCalls: 0,
        ok: true,
        finalMessage: expect.stringMatching(STATUS),
      });
    });

    it("a denied call doesn't count as one that worked", () => {
      // The denied call is the last one of the recording; codex leaves it out.
      const results = eventsOf(agent, 'c-dangerous-hook').filter((event) => event.kind === 'tool_result');
      expect(results.at(-1)?.ok ?? false).toBe(false);
    });

    it.each(recorded('g-resume-1'))('%s: a resumed session keeps its id', (scenario) => {
      expect(read('g-resume-2').sessionId).toBe(read(scenario).sessionId);
      expect(read('a-writes-file').sessionId).not.toBe(read(scenario).sessionId);
    });

    it.each([
      ...recorded('f-401').map((scenario) => [scenario, ['auth']] as const),
      // Without the service's words nothing says whether a limit is one of the account.
      ['f-429', ['rate_limited', 'throttled']] as const,
      ['f-500', ['outage']] as const,
    ])('%s is the fault of the service: %j', (scenario, kinds) => {
      const seen = read(scenario, EXIT_1);
      expect(seen).toMatchObject({ finalMessage: '', toolCalls: 0 });
      // What the stream leaves out stands in a log.
      if (seen.errors.length === 0) return expect(agent.log).toBeDefined();
      expect(kinds).toContain(seen.infrastructure?.kind);
      expect(seen.errors).toContain(seen.infrastructure?.message);
      // Ended while it was still trying, it isn't to blame either.
      expect(kinds).toContain(read(scenario, IDLE).infrastructure?.kind);
    });

    it.each(recorded('f-429-then-ok'))("%s: what the agent recovered from isn't a failure", (scenario) => {
      expect(read(scenario)).toMatchObject({
        ok: true,
        infrastructure: null,
        finalMessage: 'Recovered.\n\nRALPH_STATUS: {"status":"done"}',
      });
    });

    it.each(recorded('f-truncated-once'))("%s: half an answer isn't a success", (scenario) => {
      const seen = read(scenario);
      if (seen.ok) expect(seen.finalMessage).toMatch(/Whole answer\.\n\nRALPH_STATUS: \{"status":"done"\}$/);
      else expect(seen.infrastructure).toMatchObject({ kind: 'outage' });
    });
  });

  describe('hook', () => {
    const call = { id: 'c-1', tool: 'Bash', input: { command: 'git push --force' }, cwd: null };
    const asked: HookMessage = { kind: 'action', request: 'r-1', action: agent.action(call) };

    it('denies with the reason, and allows without a word', () => {
      expect(answerOf(agent, asked, DENY).text).toContain(DENY.reason);
      const allowed = answerOf(agent, asked, ALLOW);
      expect(allowed.exitCode).toBe(0);
      if (agent.hook.transport !== 'control channel') expect(allowed.text).toBe('');
      expect(allowed.text).not.toMatch(/deny|block/);
    });

    it('denies what it does not understand, whatever the ruling', () => {
      const { text, exitCode } = answerOf(agent, { kind: 'unknown', request: 'r-1' }, ALLOW);
      if (agent.hook.transport === 'control channel') expect(text).toMatch(/"deny"/);
      else expect(exitCode).toBe(2);
      if (agent.hook.transport === 'control channel') return;
      for (const line of ['', '{', 'null', '{"kind":"action"}', '{"hook_event_name":"PreToolUse"}'])
        expect(agent.hook.read(line)).toMatchObject({ kind: 'unknown' });
    });

    it('knows a call of its stream again', () => {
      const keys = eventsOf(agent, 'a-writes-file').flatMap((event) =>
        event.kind === 'tool_call' ? [agent.hook.key(event.action)] : [],
      );
      expect(new Set(keys).size).toBe(keys.length);
      expect(agent.hook.waitsSeconds).toBeGreaterThan(0);
    });
  });

  describe('what it keeps', () => {
    const { home, login, notes, servers } = agent;
    const folders = home.folders.map(({ path }) => path);
    const isIn = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));

    it('lies in its folders, and no sign-in among the settings that are shown', () => {
      const inside = [home.settings, home.sessions, home.signIns.map(({ path }) => path)].flat();
      expect(inside.filter((path) => !isIn(path) || !BELOW.test(path))).toEqual([]);
      expect(home.copies.filter(({ to }) => !isIn(to))).toEqual([]);
      const secret = [
        ...home.signIns.map(({ path }) => path),
        ...login.files.filter((one) => /auth|cred/.test(one)),
      ];
      const shown = secret.filter((path) =>
        home.settings.some((one) => path === one || path.startsWith(`${one}/`)),
      );
      expect(shown).toEqual([]);
    });

    it('is named below the home folder or the repository', () => {
      const paths = [...login.files, ...(notes?.files ?? []), ...servers.home, ...servers.repository];
      expect(paths.filter((path) => !BELOW.test(path))).toEqual([]);
      expect(login.variables.filter((one) => !/^[A-Z][A-Z0-9_]+$/.test(one))).toEqual([]);
      expect(agent.hosts.filter((host) => !/^(?:\*\.)?[a-z0-9.-]+\.[a-z]+$/.test(host))).toEqual([]);
      expect(agent.install).toMatch(/^npm i -g \S+$/);
      expect(agent.contextWindow).toBeGreaterThan(10_000);
    });
  });

  describe('the settings of a repository', () => {
    const stop = stopHookOf(name);
    const interactive = interactiveHook(name);
    const files = [
      ...agent.servers.repository,
      ...(typeof stop === 'string' ? [] : [stop.file]),
      ...(interactive === null ? [] : [interactive.file.replace(/^~\//, '')]),
    ];

    it('from which it starts programs are protected, and reported when they change', () => {
      const isProtected = (path: string) =>
        AGENT_SETTINGS.files.includes(path) ||
        AGENT_SETTINGS.folders.some((folder) => path.startsWith(`${folder}/`));
      expect(files.filter((file) => !isProtected(file))).toEqual([]);
      expect(files.filter((file) => !agent.runsOnOpen.test(file))).toEqual([]);
      expect(files.filter((file) => !agent.runsOnOpen.test(`packages/a/${file}`))).toEqual([]);
      expect(
        ['src/index.ts', `x${files[0] ?? '.none'}`].filter((path) => agent.runsOnOpen.test(path)),
      ).toEqual([]);
    });

    it.runIf(interactive !== null)('have a hook that fails closed', () => {
      expect(interactive?.settings('ask-ralph')).toContain('ask-ralph || exit 2');
      expect(interactive?.hook.read('{')).toMatchObject({ kind: 'unknown' });
    });

    it('have a stop hook, or it is said why not', () => {
      if (typeof stop === 'string') expect(stop).toMatch(/[^.]$/);
      else if (stop.twice !== null)
        expect(stopHookOf(stop.twice.agent)).toMatchObject({ twice: { agent: name } });
    });
  });
});
