import { describe, expect, it } from 'vitest';
import { config, loaded, problems } from './load.ts';

describe('RALPH_ variables', () => {
  it.each([
    ['RALPH_LOOP_AGENT', 'codex', (c: ReturnType<typeof config>) => c.loop.agent, 'codex'],
    ['RALPH_LOOP_AGENT', '"codex"', (c: ReturnType<typeof config>) => c.loop.agent, 'codex'],
    ['RALPH_LOOP_MAX_ITERATIONS', '5', (c: ReturnType<typeof config>) => c.loop.max_iterations, 5],
    ['RALPH_LOOP_RESUME', 'true', (c: ReturnType<typeof config>) => c.loop.resume, true],
    ['RALPH_LOOP_GRACE', '1.5', (c: ReturnType<typeof config>) => c.loop.grace, 1.5],
    [
      'RALPH_ADAPTIVE_TIMEOUT_MAX_TIMEOUT',
      '2h',
      (c: ReturnType<typeof config>) => c.adaptive_timeout.max_timeout,
      7200,
    ],
    ['RALPH_TRACKER_LABEL', '5', (c: ReturnType<typeof config>) => c.tracker.label, '5'],
    [
      'RALPH_GATES_COMMANDS',
      '["npm test", "make"]',
      (c: ReturnType<typeof config>) => c.gates.commands,
      ['npm test', 'make'],
    ],
    [
      'RALPH_INTERVENTIONS_STRATEGY_TYPE',
      'pattern_specific',
      (c: ReturnType<typeof config>) => c.interventions.strategy.type,
      'pattern_specific',
    ],
    ['RALPH_MODES_SPEED_TIMEOUT', '90', (c: ReturnType<typeof config>) => c.modes.speed?.timeout, 90],
    ['RALPH_MODES_SPEED_MAX_ITERATIONS', '9', (c: ReturnType<typeof config>) => c.loop.max_iterations, 9],
    [
      'RALPH_RUNNERS_MY_AGENT_ARGV',
      '["x"]',
      (c: ReturnType<typeof config>) => c.runners.my_agent,
      { argv: ['x'] },
    ],
    [
      'RALPH_RUNNERS_CLAUDE_ENV',
      '{ A = "b" }',
      (c: ReturnType<typeof config>) => c.runners.claude?.env,
      { A: 'b' },
    ],
    [
      'RALPH_ADAPTIVE_TIMEOUT_COMPLEXITY_UI_HEAVY_MULTIPLIER',
      '4',
      (c: ReturnType<typeof config>) => c.adaptive_timeout.complexity.ui_heavy?.multiplier,
      4,
    ],
  ])('%s=%s', (name, value, read, expected) => {
    expect(read(config(null, { env: { [name]: value } }))).toEqual(expected);
    const { warnings } = loaded(null, { env: { [name]: value } });
    expect(warnings.filter(({ message }) => !message.includes('has no effect'))).toEqual([]);
  });

  it.each(['', '  ', undefined])('%j counts as not set', (value) => {
    expect(config(null, { env: { RALPH_LOOP_AGENT: value } }).loop.agent).toBe('auto');
  });

  it.each([
    ['RALPH_LOOP_MAX_ITERATIONS', 'many', '[loop] max_iterations: expected a number, found "many"'],
    ['RALPH_LOOP_RESUME', '1', '[loop] resume: expected true or false, found 1'],
    ['RALPH_GATES_COMMANDS', 'npm test', '[gates] commands: expected a list, found "npm test"'],
    [
      'RALPH_LOOP_AGENT',
      'codx',
      '[loop] agent: expected an agent (auto, claude, codex, copilot, gemini, opencode, qwen, pi, droid, scripted), found "codx"; did you mean "codex"?',
    ],
  ])('%s=%s is told with the name of the variable', (name, value, message) => {
    const key = problems(null, { env: { [name]: value } })[0]?.key;
    expect(problems(null, { env: { [name]: value } })).toEqual([{ source: name, line: null, key, message }]);
  });

  it.each([
    [
      'RALPH_LOOP_AGNET',
      "RALPH_LOOP_AGNET isn't a setting and has no effect; did you mean RALPH_LOOP_AGENT?",
    ],
    ['RALPH_TRUSTED', "RALPH_TRUSTED isn't a setting and has no effect; did you mean RALPH_TRUST?"],
    ['RALPH_WHATEVER_ELSE', "RALPH_WHATEVER_ELSE isn't a setting and has no effect"],
  ])('%s is a warning', (name, message) => {
    expect(loaded(null, { env: { [name]: 'x' } }).warnings).toEqual([
      { source: name, line: null, key: '', message },
    ]);
  });

  it.each([
    'RALPH_TRUST',
    'RALPH_FORMAT',
    'RALPH_VERBOSITY',
    'RALPH_RUN',
    'RALPH_ITERATION',
    'RALPH_TASK_ID',
    'RALPH_ATTEMPT',
    'RALPH_SUPERVISOR',
    'RALPH_AGENT',
    'PATH',
    'ralph_loop_agent',
    'MY_RALPH_LOOP_AGENT',
  ])("%s isn't a setting", (name) => {
    const { warnings, config: result } = loaded(null, { env: { [name]: 'x' } });
    expect(warnings).toEqual([]);
    expect(result).toEqual(config(null));
  });
});

describe('flags', () => {
  it.each([
    [{ 'loop.max_iterations': 5 }, 5],
    [{ 'loop.max_iterations': '5' }, 5],
    [{ 'loop.max_iterations': undefined }, undefined],
  ])('%j', (flags, expected) => {
    expect(config(null, { flags }).loop.max_iterations).toBe(expected);
  });

  it('text stays text where text is taken', () => {
    expect(config(null, { flags: { 'tracker.path': '"quoted"' } }).tracker.path).toBe('"quoted"');
  });

  it('a wrong value is told with the flag', () => {
    expect(problems(null, { flags: { 'parallel.workers': 2, 'git.branch_strategy': 'per_task' } })).toEqual([
      {
        source: '--workers',
        line: null,
        key: 'parallel.workers',
        message:
          '[parallel] workers: 2 workers need one branch; expected 1, or [git] branch_strategy = "none" or "per_run"',
      },
    ]);
  });
});
