import { describe, expect, it } from 'vitest';
import { modeSettings } from '../../../src/config/index.ts';
import { config, FILE, loaded, problems } from './load.ts';

type Read = (result: ReturnType<typeof config>) => unknown;

describe('settings of ralph-gold', () => {
  it.each<[text: string, read: Read, expected: unknown]>([
    ['[files]\nprd = "docs/PRD.md"', (c) => c.tracker.path, 'docs/PRD.md'],
    ['[files]\nagents = ".ralph/AGENTS.md"', (c) => c.files.notes, ['AGENTS.md', '.ralph/AGENTS.md']],
    ['[files]\nagents = "AGENTS.md"', (c) => c.files.notes, ['AGENTS.md']],
    ['[tracker]\nkind = "github_issues"', (c) => c.tracker.kind, 'github'],
    ['[tracker.github]\nlabel_filter = "ready"', (c) => c.tracker.label, 'ready'],
    ['[tracker.github]\nclose_on_done = true', (c) => c.tracker.close_on_done, true],
    ['[git]\nauto_commit = true', (c) => c.git.commit, 'on_done'],
    ['[git]\nauto_commit = false', (c) => c.git.commit, 'never'],
    [
      '[git]\ncommit_message_template = "ralph: {story_id} {title}"',
      (c) => c.git.message,
      'ralph: {task_id} {title}',
    ],
    ['[git]\nbranch_strategy = "task"', (c) => c.git.branch_strategy, 'per_task'],
    ['[git]\nbranch_strategy = "per_prd"', (c) => c.git.branch_strategy, 'per_run'],
    ['[parallel]\nenabled = false\nmax_workers = 3', (c) => c.parallel.workers, 1],
    ['[loop]\nrunner_timeout_seconds = 90', (c) => modeSettings(c).timeoutSeconds, 90],
    ['[loop]\nmode = "quality"\nrunner_timeout_seconds = 90', (c) => modeSettings(c).timeoutSeconds, 90],
    [
      '[loop]\nrunner_timeout_seconds = 90\n[loop.modes.speed]\nrunner_timeout_seconds = 45',
      (c) => modeSettings(c).timeoutSeconds,
      45,
    ],
    ['[loop]\nmax_iterations = 5\n[loop.modes.speed]\nmax_iterations = 30', (c) => c.loop.max_iterations, 30],
    ['[loop.modes.speed]\nno_progress_limit = 9', (c) => c.loop.no_progress_limit, 9],
    [
      '[gates.prek]\nenabled = true',
      (c) => c.gates.prek,
      { enabled: true, argv: ['prek', 'run', '--all-files'] },
    ],
    ['[loop]\nmax_attempts_per_task = 0', (c) => c.loop.max_attempts_per_task, 1_000_000],
    ['[loop.modes.speed]\nmax_attempts_per_task = 0', (c) => c.loop.max_attempts_per_task, 1_000_000],
    [
      '[adaptive_timeout]\nenable_complexity_scaling = false\nenable_failure_scaling = false',
      (c) => [c.adaptive_timeout.complexity_scaling, c.adaptive_timeout.failure_scaling],
      [false, false],
    ],
    ['[gates.llm_judge]\nagent = "codex"', (c) => c.gates.llm_judge.agent, 'codex'],
  ])('%j', (text, read, expected) => {
    expect(read(config(text))).toEqual(expected);
  });

  it('keep the place where they were written', () => {
    const { provenance } = loaded(
      '[files]\nprd = "PRD.md"\n[loop]\nrunner_timeout_seconds = 90\n[loop.modes.night]\nmax_iterations = 3',
    );
    expect(provenance('tracker.path')).toEqual({ layer: 'project', source: FILE, line: 2 });
    expect(provenance('modes.quality.timeout')).toEqual({ layer: 'project', source: FILE, line: 4 });
    expect(provenance('modes.night.max_iterations')).toEqual({ layer: 'project', source: FILE, line: 6 });
  });

  it.each([
    ['[files]\nprd = 3', 2, '[tracker] path: expected text, found 3 (written as [files] prd)'],
    [
      '[loop.modes.speed]\ntimout = 3',
      2,
      'unknown key "timout" in [modes.speed]; did you mean "timeout"? (written as [loop.modes.speed] timout)',
    ],
    [
      '[parallel]\nenabled = true\nmax_workers = 3',
      3,
      "[parallel] workers: 3 workers aren't possible yet; expected 1",
    ],
    [
      '[git]\nauto_comit = true',
      2,
      'unknown key "auto_comit" in [git]; known here: branch_strategy, branch_prefix, commit, message, push, pull_request',
    ],
  ])('%j is wrong at its own line', (text, line, message) => {
    expect(problems(text)).toMatchObject([{ source: FILE, line, message }]);
  });

  it.each([
    [
      '[loop]\nrate_limit_per_hour = 5',
      2,
      "[loop] rate_limit_per_hour: a setting of ralph-gold that ralph doesn't have, ignored",
    ],
    [
      '[authorization]\nenabled = true',
      1,
      "[authorization]: a setting of ralph-gold that ralph doesn't have, ignored",
    ],
    [
      '[gates]\nfail_fast = true\nmax_output_lines = 5',
      2,
      "[gates] fail_fast, max_output_lines: settings of ralph-gold that ralph doesn't have, ignored",
    ],
    [
      '[gates.review]\nenabled = true',
      1,
      "[gates] review: a setting of ralph-gold that ralph doesn't have, ignored",
    ],
    [
      '[loop.modes.speed]\nrate_limit_per_hour = 5',
      2,
      "[modes.speed] rate_limit_per_hour: a setting of ralph-gold that ralph doesn't have, ignored",
    ],
    [
      '[git]\nbranch_strategy = "per_prd"',
      2,
      '[git] branch_strategy: "per_prd" is read as "per_run": one branch for each run',
    ],
    [
      '[git]\nauto_commit = true\ncommit = "never"',
      2,
      '[git] auto_commit is ignored, because [git] commit is set',
    ],
  ])('%j is a warning', (text, line, message) => {
    expect(loaded(text).warnings).toMatchObject([{ source: FILE, line, message }]);
  });

  it('no one hears of settings that say what happens anyway', () => {
    const text = `
[loop]
rate_limit_per_hour = 0
sleep_seconds_between_iters = 0
skip_blocked_tasks = true
[git]
base_branch = ""
auto_commit = false
amend_if_needed = true
[gates.review]
enabled = false
backend = "runner"
[repoprompt]
enabled = false
cli = "x"
[parallel]
enabled = false
max_workers = 3
worktree_root = "w"
[stats]
track_cost = false
[loop.adaptive]
enabled = false
[gates.prd_update]
enabled = false
[gates.syntax_check]
enabled = false
[harness]
enabled = false
[harness.replay]
default_isolation = "worktree"
[supervisor]
heartbeat_seconds = 60
[unblock]
require_reason = true
[output]
verbosity = "normal"
format = "text"
[runners.codex]
argv = ["codex", "exec", "-"]
`;
    const result = loaded(text);
    expect(result.warnings).toEqual([]);
    expect(result.config).toEqual(
      config('[runners.codex]\nargv = ["codex", "exec", "-"]\n[git]\ncommit = "never"'),
    );
  });
});
