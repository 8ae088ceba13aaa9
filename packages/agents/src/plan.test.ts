import { describe, expect, it } from 'vitest';
import { ADAPTERS } from './index.ts';
import type { AgentRequest } from './protocol.ts';

const { claude, codex, copilot, droid, gemini, opencode, pi, qwen } = ADAPTERS;

const request: AgentRequest = {
  title: 'Write the parser',
  boxed: false,
  prompt: 'do it',
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
const full: AgentRequest = { ...request, model: 'big', extraArgs: ['--flag', 'x'], resume: 'id-1' };

it('codex leaves its own sandbox out where ralph has a box', () => {
  const argv = (boxed: boolean) => codex.plan({ ...request, boxed }).argv.join(' ');
  expect(argv(false)).toContain('--sandbox workspace-write');
  expect(argv(true)).toContain('--sandbox danger-full-access');
});

it('claude ends itself at what is left of the budget, and says so', () => {
  expect(claude.plan({ ...request, costLimitUsd: 0.6 }).argv.join(' ')).toContain(' --max-budget-usd 0.6');
  // Line of Claude Code 2.1.332, with its other fields left out.
  const line =
    '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"errors":["Reached maximum budget ($0.6)"]}';
  expect(claude.parse(line)).toContainEqual(
    expect.objectContaining({ costLimit: true, message: 'Reached maximum budget ($0.6)' }),
  );
});

describe('the command lines of the built-in agents', () => {
  it.each([
    [
      claude,
      '-p --output-format stream-json --verbose --dangerously-skip-permissions --disallowedTools=EnterWorktree,CronCreate,ScheduleWakeup',
    ],
    [
      codex,
      'exec --json --skip-git-repo-check -c check_for_update_on_startup=false --sandbox workspace-write -',
    ],
    [
      copilot,
      `--output-format json --allow-all-tools --no-ask-user --no-color --usage-output-file /state/report.json --session-id ${request.session}`,
    ],
    [gemini, '-o stream-json --approval-mode yolo --skip-trust'],
    [opencode, 'run --format json --auto --title Write the parser'],
    [qwen, '-o stream-json --approval-mode yolo'],
    [pi, '-p --mode json'],
    [droid, 'exec -o stream-json --skip-permissions-unsafe'],
  ])('$name, plain', (adapter, args) => {
    const plan = adapter.plan(request);
    expect(plan.argv.join(' ')).toBe(`${adapter.name} ${args}`);
    expect(plan.stdin).toBe('prompt');
    const log = adapter.name === 'qwen' ? { QWEN_DEBUG_LOG_FILE: '1' } : {};
    expect(plan.env).toEqual({ RALPH_RUN: 'r-1', ...log });
  });

  it.each([
    [
      claude,
      '-p --output-format stream-json --verbose --dangerously-skip-permissions --disallowedTools=EnterWorktree,CronCreate,ScheduleWakeup --model big --resume id-1 --flag x',
    ],
    // `resume` knows neither `--sandbox` nor most other options: they stand before it.
    [
      codex,
      'exec --json --skip-git-repo-check -c check_for_update_on_startup=false --sandbox workspace-write -m big --flag x resume id-1 -',
    ],
    [
      copilot,
      '--output-format json --allow-all-tools --no-ask-user --no-color --usage-output-file /state/report.json --model big --resume=id-1 --flag x',
    ],
    [gemini, '-o stream-json --approval-mode yolo --skip-trust -m big --resume id-1 --flag x'],
    [opencode, 'run --format json --auto -m big --session id-1 --flag x'],
    [qwen, '-o stream-json --approval-mode yolo --model big --resume id-1 --flag x'],
    [pi, '-p --mode json --model big --session id-1 --flag x'],
    [droid, 'exec -o stream-json --skip-permissions-unsafe --model big --fork id-1 --flag x'],
  ])('$name, with model, session and arguments', (adapter, args) => {
    expect(adapter.plan(full).argv.join(' ')).toBe(`${adapter.name} ${args}`);
  });

  it.each([
    [['--sandbox', 'danger-full-access']],
    [['--sandbox=read-only']],
    [['-s', 'read-only']],
    [['--dangerously-bypass-approvals-and-sandbox']],
    [['-c', 'sandbox_mode="read-only"']],
  ])('codex leaves its sandbox to the user: %j', (extraArgs) => {
    const { argv } = codex.plan({ ...request, extraArgs });
    expect(argv.slice(-1 - extraArgs.length)).toEqual([...extraArgs, '-']);
    expect(argv).not.toContain('workspace-write');
  });
});
