import { describe, expect, it } from 'vitest';
import { type AgentSettings, adapterFor, customAdapter } from './index.ts';
import type { AgentAdapter, AgentRequest } from './protocol.ts';

const more = { house: customAdapter('house', { argv: ['house', '-'] }) };
const request: AgentRequest = {
  title: 'Write the parser',
  boxed: false,
  prompt: 'say {prompt_file} and $(id)\0',
  promptFile: '/repo/.ralph/p.md',
  cwd: '/repo',
  model: null,
  extraArgs: [],
  env: { RALPH_RUN: 'r-1' },
  resume: null,
  session: '00000000-0000-8000-8000-000000000001',
  reportFile: '/state/report.json',
  hook: null,
};

function chosen(name: string, runners: Record<string, AgentSettings>): AgentAdapter {
  const choice = adapterFor(name, runners, more);
  if (!choice.ok) throw new Error(choice.message);
  return choice.adapter;
}

function refused(name: string, runners: Record<string, AgentSettings>): string {
  const choice = adapterFor(name, runners, more);
  return choice.ok ? 'accepted' : choice.message;
}

describe('adapterFor', () => {
  it('gives more time to a program that sends requests again without a word, by the name of the program', () => {
    const retries = (...argv: [string, ...string[]]) => chosen('mine', { mine: { argv } }).silentRetriesMs;
    expect(retries('/opt/bin/cn', '-p')).toBe(170_000);
    expect(retries('cline')).toBe(70_000);
    expect(retries('other', 'cn')).toBeUndefined();
  });

  it.each([
    ['claude', '--no-session-persistence'],
    ['codex', '--ephemeral'],
    ['pi', '--no-session'],
  ])('knows that %s keeps no session with %s', (name, arg) => {
    expect(chosen(name, { [name]: { extra_args: ['--other', arg] } }).keepsNoSession).toBe(true);
    expect(chosen(name, { [name]: { extra_args: ['--other'] } }).keepsNoSession).toBe(false);
  });

  it('adds a model, arguments and environment to a built-in agent; the run wins', () => {
    const adapter = chosen('claude', {
      claude: { model: 'opus', extra_args: ['--a'], env: { KEY: 'k', RALPH_RUN: 'x' } },
    });
    const plan = adapter.plan({ ...request, extraArgs: ['--b'] });
    expect(plan.argv.slice(-4)).toEqual(['--model', 'opus', '--a', '--b']);
    expect(plan.env).toEqual({ KEY: 'k', RALPH_RUN: 'r-1' });
    expect(adapter.plan({ ...request, model: 'haiku' }).argv).toContain('haiku');
    expect(adapter.output).toBe('claude-stream');
  });

  it('lets extra_args choose the sandbox of codex', () => {
    const adapter = chosen('codex', { codex: { extra_args: ['--sandbox', 'danger-full-access'] } });
    expect(adapter.plan(request).argv).not.toContain('workspace-write');
  });

  it('replaces a built-in agent by a whole command line, read as text unless it says otherwise', () => {
    const adapter = chosen('claude', { claude: { argv: ['claude', '-p'] } });
    expect(adapter.plan(request)).toMatchObject({ argv: ['claude', '-p'], stdin: 'prompt' });
    expect(adapter.parse('hello')).toEqual([{ kind: 'text', text: 'hello\n', delta: true }]);
    const stream = chosen('claude', { claude: { argv: ['claude'], output: 'claude-stream' } });
    expect(stream.parse('hello')).toEqual([]);
  });

  it("gives an agent of the caller's own, with what is set about it", () => {
    expect(chosen('house', {}).plan(request).argv).toEqual(['house', '-']);
    const set = chosen('house', { house: { extra_args: ['--a'], output: 'claude-stream' } });
    expect(set.plan(request).argv).toEqual(['house', '--a', '-']);
    expect(set.output).toBe('text');
  });

  it.each([
    ['cluade', {}, /unknown agent "cluade".*Did you mean "claude"\?.*\[runners\.cluade\]/],
    ['my-agnet', { 'my-agent': { argv: ['x'] } }, /Did you mean "my-agent"\?/],
    [
      'zzzzzz',
      {},
      /^unknown agent "zzzzzz"\. Known: claude, codex, copilot, gemini, opencode, qwen, pi, droid, house;/,
    ],
    ['constructor', {}, /unknown agent "constructor"/],
    ['mine', { mine: { model: 'x' } }, /\[runners\.mine\] has no command/],
    ['mine', { mine: { argv: [] } }, /\[runners\.mine\] has no command/],
    ['mine', { mine: { argv: ['sh', '-c', 'agent "{prompt}"'] } }, /could run as code/],
    ['mine', { mine: { argv: ['/bin/bash', '-lc', '{prompt}'] } }, /could run as code/],
    ['mine', { mine: { argv: ['env', 'A=1', 'sh', '-ec', 'cat {prompt_file}'] } }, /could run as code/],
    ['mine', { mine: { argv: ['node', '--eval', 'f("{prompt}")'] } }, /could run as code/],
    ['mine', { mine: { argv: ['sh', '-c', 'agent "$1"', 'sh', '{prompt}'] } }, /^accepted$/],
    ['mine', { mine: { argv: ['agent', '-c', '{prompt}'] } }, /^accepted$/],
  ] satisfies [string, Record<string, AgentSettings>, RegExp][])('%s %j', (name, runners, expected) => {
    expect(refused(name, runners)).toMatch(expected);
  });
});

describe('customAdapter', () => {
  it.each([
    [['mine'], ['mine'], 'prompt'],
    [['mine', '-'], ['mine', '-'], 'prompt'],
    [['mine', '--file', '{prompt_file}'], ['mine', '--file', '/repo/.ralph/p.md'], 'empty'],
    // One pass: what the prompt itself mentions is not filled in, and nothing is quoted for a shell.
    [['mine', '-p', '{prompt}'], ['mine', '-p', 'say {prompt_file} and $(id)'], 'empty'],
    [['mine', '--p={prompt}'], ['mine', '--p=say {prompt_file} and $(id)'], 'empty'],
    [['mine', '{prompt_file}', '-'], ['mine', '/repo/.ralph/p.md', '-'], 'prompt'],
    [['{prompt}', 'x'], ['{prompt}', 'x'], 'prompt'],
  ])('%j', (argv, expected, stdin) => {
    expect(customAdapter('mine', { argv }).plan(request)).toMatchObject({ argv: expected, stdin });
  });

  it('places arguments before a closing "-", and keeps the environment of ralph', () => {
    const runner = { argv: ['mine', 'run', '-'], extra_args: ['--a'], env: { KEY: 'k', RALPH_RUN: 'x' } };
    const plan = customAdapter('mine', runner).plan({ ...request, extraArgs: ['--b'] });
    expect(plan.argv).toEqual(['mine', 'run', '--a', '--b', '-']);
    expect(plan.env).toEqual({ KEY: 'k', RALPH_RUN: 'r-1' });
  });

  it('never fills in program text', () => {
    const plan = customAdapter('mine', { argv: ['sh', '-c', 'x {prompt}'] }).plan(request);
    expect(plan.argv).toEqual(['sh', '-c', 'x {prompt}']);
  });
});
