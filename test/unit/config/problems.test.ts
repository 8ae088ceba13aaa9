import { describe, expect, it } from 'vitest';
import { FILE, loaded, problems } from './load.ts';

/** Returns the problems of a project file, each as `LINE KEY: MESSAGE`. */
function problemsOf(text: string): string[] {
  return problems(text).map(({ source, line, key, message }) => {
    expect(source).toBe(FILE);
    return `${line} ${key}: ${message}`;
  });
}

describe('syntax errors', () => {
  it.each([
    ['[loop]\nagent = codex', 2, /^column 9: .*expected text in quotes.*the line reads: agent = codex$/],
    ['[loop\nmode = "x"', 1, /^column 6: .*expected a name/],
    ['\n\nx = "open', 3, /^column 5: .*expected the closing quote/],
    ['a = 1\na = 2', 2, /^column 1: .*expected each key and each \[section\] once/],
    ['[loop]\nagent', 2, /^column 1: .*expected key = value/],
    ['[gates]\ncommands = ["a"\ntimeout = 3', 3, /^column 1: .*expected comma or end of structure/],
    ['a = 1 b = 2', 1, /^column 7: .*must be followed by an end-of-line/],
    ['[runners.__proto__]\nargv = ["x"]', 1, /expected another name/],
    ['a = 007', 1, /^column 5: .*expected a number without leading zeros/],
  ])('%j', (text, line, message) => {
    const [problem, ...more] = problems(text);
    expect(problem).toMatchObject({ source: FILE, line, key: '' });
    expect(problem?.message).toMatch(message);
    expect(more).toEqual([]);
  });

  it('a secret or an escape sequence in the line is not shown', () => {
    const [problem] = problems(`KEY = \u001b[31m sk-${'aB3dE5gH'.repeat(5)}`);
    expect(problem?.message).toContain('the line reads: KEY =  [redacted]');
  });
});

describe('unknown keys', () => {
  it.each([
    ['[loop]\n\nagnet = "x"', '3 loop.agnet: unknown key "agnet" in [loop]; did you mean "agent"?'],
    ['# one\n[lop]\nagent = "x"', '2 lop: unknown section "lop"; did you mean [loop]?'],
    [
      '[loop]\nmax_timeout = 3',
      '2 loop.max_timeout: unknown key "max_timeout" in [loop]; did you mean [adaptive_timeout] max_timeout?',
    ],
    [
      '[workflow.roles.guardain]\nagent = "codex"',
      '1 workflow.roles.guardain: unknown key "guardain" in [workflow.roles]; did you mean "guardian"?',
    ],
    ['agent = "codex"', '1 agent: unknown key "agent"; did you mean [loop] agent?'],
    [
      '[snapshot]\nzzz = 1',
      '2 snapshot.zzz: unknown key "zzz" in [snapshot]; the nearest key is "include_ignored"',
    ],
    ['loop.agnet = 1', '1 loop.agnet: unknown key "agnet" in [loop]; did you mean "agent"?'],
    [
      'loop = { mode = "speed",\n agnet = "x" }',
      '2 loop.agnet: unknown key "agnet" in [loop]; did you mean "agent"?',
    ],
    [
      '[interventions.strategy]\n"tpye" = "custom"',
      '2 interventions.strategy.tpye: unknown key "tpye" in [interventions.strategy]; did you mean "type"?',
    ],
    [
      '[runners.mine]\ncommand = ["./agent.sh"]',
      '2 runners.mine.command: unknown key "command" in [runners.mine]; did you mean "argv"?',
    ],
    [
      '[[gates.commands]]\nname = "test"\nrun = "true"\ncmd = "npm test"',
      '4 gates.commands[0].cmd: unknown key "cmd" in [gates] commands[0]; did you mean "run"?',
    ],
    [
      '[runners.x]\nargv = ["x"]\nargs = []',
      '3 runners.x.args: unknown key "args" in [runners.x]; did you mean "argv"?',
    ],
    [
      '[adaptive_timeout.complexity.ui_heavy]\nkeyword = []',
      '2 adaptive_timeout.complexity.ui_heavy.keyword: unknown key "keyword" in [adaptive_timeout.complexity.ui_heavy]; did you mean "keywords"?',
    ],
    [
      '[gates]\ncommands = [\n  "a",\n  { run = "b",\n    timout = 3 },\n]',
      '5 gates.commands[1].timout: unknown key "timout" in [gates] commands[1]; did you mean "timeout"?',
    ],
    [
      '[[gates.commands]]\nrun = "a"\n\n[[gates.commands]]\nrun = "b"\nname_ = "x"',
      '6 gates.commands[1].name_: unknown key "name_" in [gates] commands[1]; did you mean "name"?',
    ],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });
});

describe('wrong values', () => {
  it('a notification channel that there is not', () => {
    expect(problemsOf('[interventions]\nnotification_channels = ["slack", "pigeon"]')).toEqual([
      expect.stringMatching(/^2 interventions\.notification_channels.*expected .*"slack".*found "pigeon"/),
    ]);
  });

  const seconds = 'expected seconds as a number, or a duration such as "90s", "30m", "2h"';
  it.each([
    ['[loop]\nmode = 3', '2 loop.mode: [loop] mode: expected text, found 3'],
    ['loop = 3', '1 loop: loop: expected a table, found 3'],
    [
      '[loop]\nmax_iterations = "many"',
      '2 loop.max_iterations: [loop] max_iterations: expected a number, found "many"',
    ],
    [
      '[loop]\nmax_iterations = -1',
      '2 loop.max_iterations: [loop] max_iterations: expected 0 or more, found -1',
    ],
    [
      '[loop]\nmax_iterations = 1.5',
      '2 loop.max_iterations: [loop] max_iterations: expected a whole number, found 1.5',
    ],
    [
      '[loop]\nmax_attempts_per_task = -1',
      '2 loop.max_attempts_per_task: [loop] max_attempts_per_task: expected 1 or more, found -1',
    ],
    ['[loop]\nresume = "yes"', '2 loop.resume: [loop] resume: expected true or false, found "yes"'],
    [
      '[loop]\ncompletion = "gate"',
      '2 loop.completion: [loop] completion: expected one of "claim", "gates", "unchecked", found "gate"; did you mean "gates"?',
    ],
    ['[loop]\nfallback = "codex"', '2 loop.fallback: [loop] fallback: expected a list, found "codex"'],
    ['[loop]\nfallback = [\n"codex",\n1]', '4 loop.fallback[1]: [loop] fallback[1]: expected text, found 1'],
    ['[loop]\ngrace = "soon"', `2 loop.grace: [loop] grace: ${seconds}, found "soon"`],
    ['[loop]\ngrace = -1', `2 loop.grace: [loop] grace: ${seconds}, found -1`],
    ['[loop]\ngrace = true', `2 loop.grace: [loop] grace: ${seconds}, found true`],
    ['[loop]\ngrace = 2026-01-01', `2 loop.grace: [loop] grace: ${seconds}, found a date`],
    ['[loop]\ngrace = inf', `2 loop.grace: [loop] grace: ${seconds}, found Infinity`],
    [
      '[interventions.strategy]\neffectiveness_threshold = 2',
      '2 interventions.strategy.effectiveness_threshold: [interventions.strategy] effectiveness_threshold: expected 1 or less, found 2',
    ],
    [
      '[adaptive_timeout.complexity.x]\nmultiplier = 0',
      '2 adaptive_timeout.complexity.x.multiplier: [adaptive_timeout.complexity.x] multiplier: expected more than 0, found 0',
    ],
    [
      '[adaptive_timeout.complexity]\nui_heavy = 3',
      '2 adaptive_timeout.complexity.ui_heavy: [adaptive_timeout.complexity] ui_heavy: expected a table, found 3',
    ],
    [
      '[gates]\ncommands = [\n3]',
      '3 gates.commands[0]: [gates] commands[0]: expected text or a table, found 3',
    ],
    [
      '[gates]\ncommands = [\n{ name = "x" }]',
      '3 gates.commands[0].run: [gates] commands[0].run: is missing; expected text',
    ],
    [
      '[[gates.commands]]\nrun = "x"\non_missing = "ignore"',
      '3 gates.commands[0].on_missing: [gates] commands[0].on_missing: expected one of "fail", "warn", "skip", found "ignore"',
    ],
    [
      '[runners.x]\nargv = "codex exec"',
      '2 runners.x.argv: [runners.x] argv: expected a list, found "codex exec"',
    ],
    [
      '[tracker]\nkind = "beans"',
      '2 tracker.kind: [tracker] kind: expected one of "auto", "markdown", "json", "yaml", "jsonl", "backlog", "github", "jira", "linear", found "beans"',
    ],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });
});

describe('values that do not agree', () => {
  it.each([
    [
      '[interventions.strategy]\ntype = "custom"',
      '2 interventions.strategy.type: [interventions.strategy] type: "custom" needs a module: set [interventions.strategy] module',
    ],
    [
      '[loop]\nmode = "sped"',
      '2 loop.mode: [loop] mode: expected the name of a mode (speed, quality, exploration), found "sped"; did you mean "speed"?',
    ],
    [
      '[loop]\nagent = "codx"',
      '2 loop.agent: [loop] agent: expected an agent (auto, claude, codex, copilot, gemini, opencode, qwen, pi, droid, scripted), found "codx"; did you mean "codex"?',
    ],
    [
      '[loop]\nfallback = ["codex", "mine"]\n[runners.other]\nargv = ["x"]',
      '2 loop.fallback[1]: [loop] fallback[1]: expected an agent (claude, codex, copilot, gemini, opencode, qwen, pi, droid, scripted, other), found "mine"; one of your own needs [runners.mine] argv',
    ],
    [
      '[modes.speed]\nagent = "codx"',
      '2 modes.speed.agent: [modes.speed] agent: expected an agent (auto, claude, codex, copilot, gemini, opencode, qwen, pi, droid, scripted), found "codx"; did you mean "codex"?',
    ],
    [
      '[runners.mine]\nmodel = "x"',
      '1 runners.mine: [runners.mine] argv: expected ["PROGRAM", "ARGUMENT", "-"], found no argv',
    ],
    [
      '[runners.mine]\nargv = []',
      '2 runners.mine.argv: [runners.mine] argv: expected ["PROGRAM", "ARGUMENT", "-"], found an empty list',
    ],
    [
      '[runners.claude]\nargv = [""]',
      '2 runners.claude.argv: [runners.claude] argv: expected ["PROGRAM", "ARGUMENT", "-"], found no program in it',
    ],
    [
      '[adaptive_timeout]\nmin_timeout = "5m"\nmax_timeout = 60',
      '2 adaptive_timeout.min_timeout: [adaptive_timeout] min_timeout: expected at most max_timeout (60 s), found 300 s',
    ],
    [
      '[adaptive_timeout]\n\nmax_timeout = 30',
      '3 adaptive_timeout.min_timeout: [adaptive_timeout] min_timeout: expected at most max_timeout (30 s), found 60 s',
    ],
    [
      '[gates]\ncommands = [\n{ name = "a", run = "x" },\n{ name = "a", run = "y" }]',
      '4 gates.commands[1].name: [gates] commands[1].name: expected a name used once, found "a" again',
    ],
    [
      '[gates]\nprek.enabled = true\ncommands = [{ name = "prek", run = "x" }]',
      '2 gates.commands[1].name: [gates] commands[1].name: expected a name used once, found "prek" again',
    ],
    [
      '[gates]\ncommands = ["x", " "]',
      '2 gates.commands[1]: [gates] commands[1]: expected a command, found nothing',
    ],
    [
      '[[gates.commands]]\nrun = "x"\nname = ""',
      '3 gates.commands[0].name: [gates] commands[0].name: expected a name, found nothing',
    ],
    [
      '[gates.prek]\nenabled = true\nargv = []',
      '1 gates.commands[0]: [gates] commands[0]: expected a command, found nothing',
    ],
    [
      '[git]\nbranch_strategy = "per_task"\n[parallel]\nworkers = 4',
      '4 parallel.workers: [parallel] workers: 4 workers need one branch; expected 1, or [git] branch_strategy = "none" or "per_run"',
    ],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it.each([
    '[loop]\nagent = "scripted"',
    '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["x", "-"]',
    '[runners.claude]\nmodel = "opus"',
    '[runners.play]\nscenario = "play.json"',
    '[loop]\nmode = "night"\n[modes.night]\n',
  ])('%j is fine', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

describe('several mistakes', () => {
  it('are told at once, in the order of the file', () => {
    expect(
      problemsOf('[loop]\ngrace = "x"\nagnet = 1\n[lop]\na = 1\n[gates]\ntimeout = true').map(
        (text) => text.split(':')[0],
      ),
    ).toEqual(['2 loop.grace', '3 loop.agnet', '4 lop', '7 gates.timeout']);
  });

  it('of all sources are told, with the source of each', () => {
    const all = problems('[loop]\nagnet = 1', {
      user: 'x =',
      env: { RALPH_LOOP_GRACE: 'soon' },
      flags: { 'loop.max_iterations': 'many' },
    });
    expect(all.map(({ source, line }) => [source, line])).toEqual([
      ['user.toml', 1],
      [FILE, 2],
      ['RALPH_LOOP_GRACE', null],
      ['--max-iterations', null],
    ]);
  });

  it('a mistake counts although a stronger layer has another value', () => {
    expect(problems('[loop]\nmax_iterations = 5', { user: '[loop]\nmax_iterations = "x"' })).toHaveLength(1);
  });

  it('a value that only another source makes wrong is told at that source', () => {
    const [problem] = problems('[loop]\nmode = "night"', { user: '[modes.day]\ntimeout = 5' });
    expect(problem).toMatchObject({ source: FILE, line: 2 });
    const [flag] = problems('', { flags: { 'loop.mode': 'night' } });
    expect(flag).toMatchObject({ source: '--mode', line: null, key: 'loop.mode' });
  });
});

describe('what is not built yet', () => {
  it('is a warning', () => {
    const message = "[files] plan has no effect: ralph doesn't write plans yet";
    const warning = { source: FILE, line: 2, key: 'files.plan', message };
    expect(loaded('[files]\nplan = "x.md"').warnings).toContainEqual(warning);
  });

  it("an empty section isn't one", () => {
    expect(loaded('[budget]\n').warnings).toEqual([]);
  });
});
