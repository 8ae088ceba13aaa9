import { describe, expect, it } from 'vitest';
import { checkShape } from '../../../src/config/check-shape.ts';
import { modeSettings } from '../../../src/config/index.ts';
import { formatKey, type KeyPath, withValue } from '../../../src/config/key-path.ts';
import { IGNORED_KEYS } from '../../../src/config/ralph-gold-ignored.ts';
import {
  MOVED_KEYS,
  MOVED_OF_EACH,
  MOVED_SECTIONS,
  RENAMED_VALUES,
  TIMEOUTS_OF_ALL_MODES,
} from '../../../src/config/ralph-gold-keys.ts';
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
    ['[git]\npush = true', (c) => c.git.push, 'checkpoints'],
    ['[git]\npush = false', (c) => c.git.push, 'never'],
    ['[git]\npull_request = true', (c) => c.git.pull_request, 'ready'],
    ['[git]\npull_request = false', (c) => c.git.pull_request, 'never'],
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
      (c) => c.gates.commands,
      [{ name: 'prek', run: "prek run '--all-files'" }],
    ],
    ['[loop]\nmax_attempts_per_task = 0', (c) => c.loop.max_attempts_per_task, 1_000_000],
    ['[loop.modes.speed]\nmax_attempts_per_task = 0', (c) => c.loop.max_attempts_per_task, 1_000_000],
    [
      '[adaptive_timeout]\nenable_complexity_scaling = false\nenable_failure_scaling = false',
      (c) => [c.adaptive_timeout.complexity_scaling, c.adaptive_timeout.failure_scaling],
      [false, false],
    ],
    ['[gates]\nmaxOutputLines = 100', (c) => c.gates.output_limit, 8000],
    ['[git]\nbranchStrategy = "task"\nautoCommit = true', (c) => c.git.commit, 'on_done'],
    ['[loop]\nmax-iterations = 7', (c) => c.loop.max_iterations, 7],
    ['[adaptiveTimeout]\nmaxTimeout = 900', (c) => c.adaptive_timeout.max_timeout, 900],
    ['[stepReviewer]\nenabled = false', (c) => c.review.enabled, false],
    ['[tracker]\nkind = "beads"', (c) => c.tracker.kind, 'auto'],
    ['[adaptive_timeout]\nbase_timeout_seconds = 45', (c) => modeSettings(c).timeoutSeconds, 45],
    [
      '[loop]\nmode = "night"\n[modes.night]\nagent = "codex"\n[adaptive_timeout]\ndefault_mode_timeout = 45',
      (c) => modeSettings(c).timeoutSeconds,
      45,
    ],
    ['[interventions]\ncheckpoint_retention_minutes = 5', (c) => c.checkpoints.retention_minutes, 5],
    [
      '[interventions.safe_checkpoint_criteria]\nno_errors_duration_seconds = "2m"',
      (c) => c.interventions.safe_checkpoint.no_errors_seconds,
      120,
    ],
    [
      '[runners.my-agent]\nargv = ["x"]\nenv = { myVar = "1", "a-b" = "2" }',
      (c) => c.runners['my-agent']?.env,
      { myVar: '1', 'a-b': '2' },
    ],
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
      '[interventions]\nmax_interventions_per_execution = "ten"',
      2,
      '[interventions] max_interventions_per_task: expected a number, found "ten" (written as [interventions] max_interventions_per_execution)',
    ],
    [
      '[loop]\nrunner_timeout_seconds = true',
      2,
      '[modes.speed] timeout: expected seconds as a number, or a duration such as "90s", "30m", "2h", found true (written as [loop] runner_timeout_seconds)',
    ],
    ['step_reviewer = 3', 1, 'review: expected a table, found 3 (written as step_reviewer)'],
    [
      '[loop.modes.speed]\ntimout = 3',
      2,
      'unknown key "timout" in [modes.speed]; did you mean "timeout"? (written as [loop.modes.speed] timout)',
    ],
    ['[git]\nauto_comit = true', 2, 'unknown key "auto_comit" in [git]; the nearest key is "commit"'],
  ])('%j is wrong at its own line', (text, line, message) => {
    expect(problems(text)).toMatchObject([{ source: FILE, line, message }]);
  });

  it.each([
    [
      '[loop]\nrate_limit_per_hour = 5',
      2,
      '[loop] rate_limit_per_hour has no effect: ralph waits where an agent reports a usage limit ([loop] max_wait)',
    ],
    [
      '[authorization]\nenabled = true',
      1,
      '[authorization] has no effect: the review of actions and [box] decide what an agent may write',
    ],
    [
      '[parallel]\nenabled = true\nmax_workers = 3',
      2,
      '[parallel] enabled, max_workers have no effect: set [parallel] workers: each worker has a copy of its own, and results land one at a time',
    ],
    [
      '[gates.review]\nenabled = true',
      1,
      '[gates] review has no effect: no second agent reviews the changes yet',
    ],
    [
      '[modes.speed]\nrate_limit_per_hour = 5',
      2,
      '[modes.speed] rate_limit_per_hour has no effect: ralph waits where an agent reports a usage limit ([loop] max_wait)',
    ],
    [
      '[git]\nbranch_strategy = "per_prd"',
      2,
      '[git] branch_strategy: "per_prd" is read as "per_run": one branch for each run',
    ],
    [
      '[interventions]\npolicy_mode = "recommend-only"',
      2,
      '[interventions] policy_mode has no effect: ralph acts on what it finds; [interventions] enabled = false switches that off',
    ],
    [
      '[interventions]\nlookback_iterations = 30',
      2,
      "[interventions] lookback_iterations has no effect: the agent's last 5 iterations count",
    ],
    [
      '[interventions]\nconfidence_threshold = "medium"',
      2,
      '[interventions] confidence_threshold has no effect: each finding has a confidence of its own ([interventions.weights.NAME] confidence)',
    ],
    [
      '[supervisor]\nheartbeat_seconds = 30',
      2,
      '[supervisor] heartbeat_seconds has no effect: ralph run needs no supervisor: it waits for agents itself; [notify] sets how you are notified',
    ],
    ['[loop]\nrunner_timeout_seconds = 90', 2, '[loop] runner_timeout_seconds is read as [modes.*] timeout'],
    ['[git]\nautoCommit = true', 2, '[git] autoCommit is read as [git] commit = "on_done"'],
    [
      '[interventions]\nintervention_cooldown_seconds = 5\ncooldown_seconds = 9',
      2,
      '[interventions] intervention_cooldown_seconds is ignored, because [interventions] cooldown_seconds is set',
    ],
    [
      '[adaptive_timeout]\ndefault_mode_timeout = 45',
      2,
      '[adaptive_timeout] default_mode_timeout has no effect: every mode here has a timeout of its own ([modes.NAME] timeout)',
    ],
    [
      '[git]\nauto_commit = true\ncommit = "never"',
      2,
      '[git] auto_commit is ignored, because [git] commit is set',
    ],
  ])('%j is a warning', (text, line, message) => {
    expect(loaded(text).warnings).toMatchObject([{ source: FILE, line, message }]);
  });

  it('nothing is reported of settings that ask for what happens anyway', () => {
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

// A file in which every key and value is ralph's is read without the translation.
describe('what is translated', () => {
  const named = (path: KeyPath): KeyPath =>
    path.map((part) => (part !== '*' ? part : path[0] === 'human' ? 'MANUAL' : 'simple'));
  const paths = [
    ...[...MOVED_SECTIONS, ...MOVED_KEYS, ...TIMEOUTS_OF_ALL_MODES].map(({ from }) => from),
    ...MOVED_OF_EACH.map(({ parent, from }) => [...parent, '*', from]),
    ...IGNORED_KEYS.map(({ path }) => path),
  ].map(named);

  it.each(paths.map((path) => [formatKey(path), path] as const))("%s isn't a key of ralph", (_, path) => {
    expect(checkShape(withValue({}, path, 1)).map((issue) => issue.unknown)).toEqual([true]);
  });

  it.each(RENAMED_VALUES)("$path = $from isn't a value of ralph", ({ path, from }) => {
    expect(checkShape(withValue({}, path, from))).toHaveLength(1);
  });
});
