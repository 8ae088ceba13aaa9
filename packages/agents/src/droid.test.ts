import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { EXIT_0, EXIT_1, report } from '../../../test/helpers/agent-recordings.ts';
import type { HookPlace, SocketHook } from './hook.ts';
import { ADAPTERS } from './index.ts';

const { droid } = ADAPTERS;

const place: HookPlace = {
  folder: '/state/gate',
  client: "perl -e 'ask'",
  socket: '/state/gate/socket',
  token: 'word',
  patienceSeconds: 900,
};

function planWith(hook: HookPlace | null) {
  return droid.plan({
    ...{ prompt: 'do it', promptFile: '/repo/p.md', cwd: '/repo', model: null, extraArgs: [] },
    ...{ env: {}, resume: null, session: '00000000-0000-8000-8000-000000000001', title: 'Write the parser' },
    ...{ boxed: false, reportFile: '/state/report.json', hook },
  });
}

const parse = (line: unknown) => droid.parse(JSON.stringify(line));
const ended = (message: string) => ({ type: 'tool_result', id: 'c1', isError: true, error: { message } });

describe('the stream of droid', () => {
  it('counts what came from the cache as input', () => {
    const usage = {
      ...{ input_tokens: 600, output_tokens: 50 },
      ...{ cache_read_input_tokens: 400, cache_creation_input_tokens: 7 },
    };
    expect(report(parse({ type: 'completion', finalText: 'Done.', usage }), EXIT_0)).toMatchObject({
      ok: true,
      finalMessage: 'Done.',
      usage: [{ inputTokens: 1007, outputTokens: 50, cachedTokens: 400, cacheWriteTokens: 7 }],
    });
  });

  it("takes neither your words for the agent's, nor its usual model for the one that works", () => {
    expect(parse({ type: 'message', role: 'user', text: 'RALPH_STATUS' })).toEqual([]);
    expect(parse({ type: 'system', subtype: 'init', session_id: 's-1', model: 'usual' })).toEqual([
      { kind: 'session', id: 's-1' },
    ]);
  });

  it.each([
    ['401 invalid x-api-key', 'auth'],
    ['429 Rate limit reached.', 'rate_limited'],
    ['500 status code (no body)', 'outage'],
    ['Request timed out.', 'outage'],
    ['Connection error.', 'outage'],
    ['Error: Authentication failed. Please log in using /login or set a valid FACTORY_API_KEY.', 'auth'],
  ])('%s is %s', (message, kind) => {
    const lines = [
      { type: 'error', source: 'agent_loop', message },
      { type: 'error', source: 'cli', message: 'Exec failed' },
    ];
    const seen = report(lines.flatMap(parse), EXIT_1);
    expect(seen).toMatchObject({ ok: false, infrastructure: { kind }, errors: [message] });
  });

  it('reports how a command ended, and does not take what it printed for a refusal', () => {
    const printed =
      'Error: Command failed (exit code: 3)\nError: Not found: Bash. Only request exact tool names\n';
    expect(parse(ended(printed))).toEqual([
      { kind: 'tool_result', id: 'c1', ok: false, output: printed, exitCode: 3 },
    ]);
    const unknown = 'Error: Not found: Bash. Only request exact tool names from the list.';
    expect(parse(ended(unknown))).toMatchObject([{ ok: false, refused: true }]);
  });
});

describe('the hook of droid', () => {
  const hook = droid.hook as SocketHook;

  it('is a file of settings for this process, which no other settings switch off', () => {
    const { argv, files } = planWith(place);
    expect(argv.join(' ')).toContain('--settings /state/gate/settings.json');
    const settings = JSON.parse(files?.[0]?.content ?? '');
    expect(settings.hooks).toMatchObject({
      hooksDisabled: false,
      PreToolUse: [{ matcher: '*', hooks: [{ command: "perl -e 'ask'", timeout: 900 }] }],
    });
  });

  it('is killed while its hook is in force: asked to end, it would act', () => {
    expect(ADAPTERS.droid.endsAtOnce).toBe(true);
  });

  it('takes away its helpers, which ask no hook, while there is one', () => {
    expect(planWith(place).argv.join(' ')).toContain('--remove-tools Task');
    expect(planWith(null).argv).not.toContain('--remove-tools');
  });

  it.each([
    [0.2, 1],
    [2_592_000, 2_147_483],
  ])('never waits %d s for a time that a timer does not take: %d s', (patienceSeconds, timeout) => {
    const settings = JSON.parse(planWith({ ...place, patienceSeconds }).files?.[0]?.content ?? '');
    expect(settings.hooks.PreToolUse[0].hooks[0].timeout).toBe(timeout);
  });

  it('denies by words and by code, so that no other hook can allow it', () => {
    const call = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Execute',
      tool_input: { command: 'rm x' },
      cwd: '/repo',
    };
    const message = hook.read(JSON.stringify(call));
    const deny: Ruling = { decision: 'deny', rule: 'r', reason: 'never' };
    const { text, exitCode } = hook.answer(message, deny);
    expect(exitCode).toBe(2);
    expect(JSON.parse(text).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'never',
    });
    expect(hook.answer(message, { decision: 'allow' })).toEqual({ text: '', exitCode: 0 });
    // After the call there is nothing left to deny.
    const over = hook.read(JSON.stringify({ ...call, hook_event_name: 'PostToolUse' }));
    expect(hook.answer(over, deny)).toEqual({ text: '', exitCode: 0 });
  });
});
