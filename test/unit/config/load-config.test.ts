import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { modeSettings } from '../../../src/config/index.ts';
import { config, FILE, load, loaded } from './load.ts';

describe('with no file at all', () => {
  const defaults = config(null);

  it.each([
    ['loop.agent', defaults.loop.agent, 'auto'],
    ['loop.mode', defaults.loop.mode, 'speed'],
    ['loop.max_iterations', defaults.loop.max_iterations, undefined],
    ['loop.max_attempts_per_task', defaults.loop.max_attempts_per_task, 3],
    ['loop.no_progress_limit', defaults.loop.no_progress_limit, 3],
    ['git.commit', defaults.git.commit, 'on_done'],
    ['git.branch_strategy', defaults.git.branch_strategy, 'none'],
    ['interventions.enabled', defaults.interventions.enabled, true],
    ['interventions.threshold_no_files', defaults.interventions.threshold_no_files, 3],
    ['interventions.threshold_false_completion', defaults.interventions.threshold_false_completion, 2],
    ['interventions.feedback_rotation_days', defaults.interventions.feedback_rotation_days, 30],
    ['interventions.aggressive_mode', defaults.interventions.aggressive_mode, false],
    ['adaptive_timeout.max_timeout', defaults.adaptive_timeout.max_timeout, 3600],
    ['adaptive_timeout.min_timeout', defaults.adaptive_timeout.min_timeout, 60],
    ['adaptive_timeout.multiplier', defaults.adaptive_timeout.timeout_multiplier_per_failure, 1.5],
    ['adaptive_timeout.idle_timeout', defaults.adaptive_timeout.idle_timeout, 600],
    ['unblock.auto_suggest', defaults.unblock.auto_suggest, true],
    ['unblock.max_auto_unblock_attempts', defaults.unblock.max_auto_unblock_attempts, 1],
    ['limits.max_file_operations', defaults.limits.max_file_operations, 500],
    ['limits.max_memory_mb', defaults.limits.max_memory_mb, 8192],
    ['limits.max_tokens', defaults.limits.max_tokens, 0],
    ['limits.max_execution_time', defaults.limits.max_execution_time, 0],
    ['checkpoints.retention_minutes', defaults.checkpoints.retention_minutes, 30],
    ['parallel.workers', defaults.parallel.workers, 1],
  ])('%s is the default of the specification', (_, value, expected) => {
    expect(value).toBe(expected);
  });

  it('nothing is wrong, nothing is warned of, and everything is built in', () => {
    const { entries, warnings, provenance } = loaded(null);
    expect(warnings).toEqual([]);
    expect(new Set(entries().map((entry) => entry.layer))).toEqual(new Set(['built-in']));
    expect(provenance('loop.agent')).toEqual({ layer: 'built-in', source: 'built-in', line: null });
  });

  it('an empty file is the same', () => {
    expect(config('')).toEqual(defaults);
    expect(config('# nothing\n[loop]\n')).toEqual(defaults);
  });
});

describe('layers', () => {
  const user = '[loop]\nagent = "claude"\nmax_iterations = 10\nno_progress_limit = 5\n';
  const project = '[loop]\n\nmax_iterations = 20\ngrace = "2s"\n[gates]\ncommands = ["make test"]\n';
  const env = { RALPH_LOOP_GRACE: '3s', RALPH_LOOP_MODE: 'quality' };
  const flags = { 'loop.mode': 'exploration', 'loop.agent': undefined };
  const result = loaded(project, { user, env, flags });

  it.each([
    ['loop.agent', 'claude', 'user', 'user.toml', 2],
    ['loop.no_progress_limit', 5, 'user', 'user.toml', 4],
    ['loop.max_iterations', 20, 'project', FILE, 3],
    ['gates.commands', ['make test'], 'project', FILE, 6],
    ['loop.grace', 3, 'environment', 'RALPH_LOOP_GRACE', null],
    ['loop.mode', 'exploration', 'flag', '--mode', null],
    ['loop.completion', 'claim', 'built-in', 'built-in', null],
    ['modes.speed.timeout', 120, 'built-in', 'built-in', null],
  ])('%s comes from its strongest layer', (key, value, layer, source, line) => {
    expect(result.provenance(key)).toEqual({ layer, source, line });
    expect(result.entries().find((entry) => entry.key === key)).toEqual({ key, value, layer, source, line });
  });

  it('tables merge deeply, lists replace', () => {
    const merged = config('[gates]\ncommands = ["b"]\n[runners.a]\nmodel = "m"\n', {
      user: '[gates]\ncommands = ["a", "c"]\ntimeout = 5\n[runners.a]\nargv = ["x"]\n[runners.b]\nargv = ["y"]\n',
    });
    expect(merged.gates).toMatchObject({ commands: ['b'], timeout: 5 });
    expect(merged.runners).toEqual({ a: { argv: ['x'], model: 'm' }, b: { argv: ['y'] } });
  });

  it('each key is listed once', () => {
    const keys = result.entries().map((entry) => entry.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain('interventions.strategy.type');
  });

  it('names that need quotes keep them', () => {
    const quoted = loaded('[runners."my agent"]\nargv = ["x"]\n');
    expect(quoted.provenance('runners."my agent".argv')).toMatchObject({ layer: 'project', line: 2 });
  });
});

describe('modes', () => {
  it.each([
    ['', { name: 'speed', timeoutSeconds: 120 }],
    ['[loop]\nmode = "quality"', { name: 'quality', timeoutSeconds: 300 }],
    ['[loop]\nmode = "exploration"', { name: 'exploration', timeoutSeconds: 600 }],
    ['[modes.speed]\ntimeout = "90s"', { name: 'speed', timeoutSeconds: 90 }],
    ['[modes.speed]\nmax_iterations = 5', { name: 'speed', timeoutSeconds: 120 }],
    ['[loop]\nmode = "night"\n[modes.night]\ntimeout = "1h"', { name: 'night', timeoutSeconds: 3600 }],
    ['[loop]\nmode = "night"\n[modes.night]\nagent = "codex"', { name: 'night', timeoutSeconds: null }],
  ])('%j', (text, expected) => {
    expect(modeSettings(config(text))).toEqual(expected);
  });

  const text =
    '[loop]\nmax_iterations = 7\n[modes.speed]\nmax_iterations = 20\nagent = "codex"\n[modes.quality]\nmax_iterations = 30';

  it('the mode in use stands in for [loop], and says so', () => {
    const { config: speed, provenance } = loaded(text);
    expect(speed.loop).toMatchObject({ max_iterations: 20, agent: 'codex' });
    expect(provenance('loop.max_iterations')).toEqual({ layer: 'project', source: FILE, line: 4 });
  });

  it.each([
    ['a flag', { flags: { 'loop.max_iterations': 5 } }],
    ['the environment', { env: { RALPH_LOOP_MAX_ITERATIONS: '5' } }],
  ])('%s is stronger than the mode', (_, rest) => {
    expect(config(text, rest).loop.max_iterations).toBe(5);
  });

  it('the project is stronger than a mode of the user', () => {
    const user = '[modes.speed]\nmax_iterations = 20';
    expect(config('[loop]\nmax_iterations = 7', { user }).loop.max_iterations).toBe(7);
    expect(config('', { user }).loop.max_iterations).toBe(20);
  });

  it('a mode that comes by flag brings its settings', () => {
    expect(config(text, { flags: { 'loop.mode': 'quality' } }).loop.max_iterations).toBe(30);
  });
});

describe('whatever the input', () => {
  const key = fc.oneof(
    fc.constantFrom(
      'loop',
      'gates',
      'commands',
      'runners',
      'modes',
      'agent',
      'timeout',
      'speed',
      'budget',
      'files',
    ),
    fc.string({ maxLength: 6 }),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string({ maxLength: 8 }),
      fc.boolean(),
      fc.integer(),
      fc.double(),
      fc.date({ noInvalidDate: true }),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    ),
  })).any;

  it('garbage as TOML gives a result whose problems have lines', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (table) => {
        let text: string;
        try {
          text = stringify(table);
        } catch {
          fc.pre(false);
          return;
        }
        const result = load(text);
        if (!result.ok) for (const { line } of result.problems) expect(line).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });

  it('text that may not even be TOML gives a result', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '=',
      '"',
      "'",
      '"""',
      '{',
      '}',
      '.',
      ',',
      '\n',
      '#',
      'loop',
      'a',
      '1',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 25 }), (parts) => {
        expect(typeof load(parts.join('')).ok).toBe('boolean');
      }),
      { numRuns: 150 },
    );
  });

  it('variables and flags of any value give a result', () => {
    const names = fc.constantFrom(
      'RALPH_LOOP_AGENT',
      'RALPH_GATES_COMMANDS',
      'RALPH_MODES_X_TIMEOUT',
      'RALPH_X',
      'RALPH_',
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.anything(), (env, flag) => {
        expect(typeof load(null, { env, flags: { 'loop.agent': flag } }).ok).toBe('boolean');
      }),
      { numRuns: 60 },
    );
  });

  it('a very deep file is refused, not followed', () => {
    const [problem] = load(`[budget.${'a.'.repeat(5000)}a]`).ok
      ? []
      : problemsOf(`[budget.${'a.'.repeat(5000)}a]`);
    expect(problem?.message).toMatch(/more than 32 levels deep/);
  });
});

function problemsOf(text: string) {
  const result = load(text);
  return result.ok ? [] : result.problems;
}
