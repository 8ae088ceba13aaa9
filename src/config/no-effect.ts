import { isService } from 'ralph-task-lists';
import type { Config } from '../domain/config.ts';

import type { KeyIssue } from './check-shape.ts';
import { formatKey, type KeyPath, showKey, valueAt } from './key-path.ts';

type Rule = {
  /** Dotted keys; a table stands for everything in it. */
  readonly keys: readonly string[];
  /** Deciding setting as in a file, for the warning. */
  readonly setting: string;
  readonly key: string;
  readonly isOff: (config: Config) => boolean;
};

const rule = (
  section: string,
  names: string,
  [key, setting]: readonly [by: string, because: string],
  isOff: Rule['isOff'],
): Rule => ({ keys: names.split(' ').map((name) => `${section}.${name}`), setting, key, isOff });

const RULES: readonly Rule[] = [
  rule('git', 'message', ['git.commit', '[git] commit = "never"'], (c) => c.git.commit === 'never'),
  rule('git', 'push', ['git.commit', '[git] commit = "never"'], (c) => c.git.commit === 'never'),
  rule('git', 'pull_request', ['git.push', '[git] push = "never"'], (c) => c.git.push === 'never'),
  rule(
    'git',
    'branch_prefix',
    ['git.branch_strategy', '[git] branch_strategy = "none"'],
    (c) => c.git.branch_strategy === 'none' && c.git.pull_request === 'never',
  ),
  rule(
    'tracker',
    'comment_on_done close_on_done',
    ['tracker.kind', '[tracker] kind isn\'t "github", "jira" or "linear"'],
    (c) => !isService(c.tracker.kind),
  ),
  rule(
    'tracker',
    'label',
    ['tracker.kind', '[tracker] kind isn\'t "github", "jira", "linear", "json" or "auto"'],
    (c) => !isService(c.tracker.kind) && !['json', 'auto'].includes(c.tracker.kind),
  ),
  rule('tracker', 'path', ['tracker.kind', '[tracker] kind = "github"'], (c) => c.tracker.kind === 'github'),
  rule('tracker', 'trust_commits', ['tracker.kind', '[tracker] kind is a service'], (c) =>
    isService(c.tracker.kind),
  ),
  rule(
    'box',
    'writable readable hide sockets network gate_network docker',
    ['box.mode', '[box] mode = "off"'],
    (c) => c.box.mode === 'off',
  ),
  rule(
    'gates',
    'timeout parallel output_limit',
    ['gates.commands', 'there are no gates'],
    (c) => c.gates.commands.length === 0,
  ),
  rule(
    'proof',
    'mutants',
    ['loop.mode', 'mode "speed" makes no mutants'],
    (c) => c.loop.mode === 'speed' && c.proof.mutants > 0,
  ),
  rule(
    'review',
    'require_gate mode async_threshold risk rationality rules cache performance',
    ['review.enabled', '[review] enabled = false'],
    (c) => c.review.enabled === false,
  ),
  rule(
    'review',
    'async_threshold',
    ['review.mode', '[review] mode isn\'t "async"'],
    (c) => c.review.mode !== 'async',
  ),
  rule(
    'review.cache',
    'ttl_seconds',
    ['review.cache.enabled', '[review.cache] enabled = false'],
    (c) => !c.review.cache.enabled,
  ),
  rule(
    'unblock',
    'max_auto_unblock_attempts',
    ['unblock.auto', '[unblock] auto = false'],
    (c) => !c.unblock.auto,
  ),
  rule(
    'adaptive_timeout',
    'complexity_scaling failure_scaling learned max_timeout min_timeout timeout_multiplier_per_failure complexity',
    ['adaptive_timeout.enabled', '[adaptive_timeout] enabled = false'],
    (c) => !c.adaptive_timeout.enabled,
  ),
  rule(
    'adaptive_timeout',
    'timeout_multiplier_per_failure',
    ['adaptive_timeout.failure_scaling', '[adaptive_timeout] failure_scaling = false'],
    (c) => !c.adaptive_timeout.failure_scaling,
  ),
  rule(
    'interventions',
    [
      'threshold_no_files threshold_false_completion aggressive_mode mid_stream stop cooldown_seconds custom_prompts_path',
      'max_interventions_per_task max_rollback_depth reduction_factors strategy weights',
      'soft_correction context_reinforcement resource_throttling checkpoint_rollback emergency_stop',
    ].join(' '),
    ['interventions.enabled', '[interventions] enabled = false'],
    (c) => !c.interventions.enabled,
  ),
  rule(
    'interventions.soft_correction',
    'max_attempts',
    ['interventions.soft_correction.enabled', '[interventions.soft_correction] enabled = false'],
    (c) => !c.interventions.soft_correction.enabled,
  ),
  rule(
    'interventions',
    'max_rollback_depth',
    ['interventions.checkpoint_rollback.enabled', '[interventions.checkpoint_rollback] enabled = false'],
    (c) => !c.interventions.checkpoint_rollback.enabled,
  ),
  rule(
    'interventions',
    'reduction_factors',
    ['interventions.resource_throttling.enabled', '[interventions.resource_throttling] enabled = false'],
    (c) => !c.interventions.resource_throttling.enabled,
  ),
  rule(
    'interventions',
    'preserve_incident_data_days',
    ['interventions.auto_cleanup', '[interventions] auto_cleanup = false'],
    (c) => !c.interventions.auto_cleanup,
  ),
  rule(
    'interventions.strategy',
    'module',
    ['interventions.strategy.type', '[interventions.strategy] type isn\'t "custom"'],
    (c) => c.interventions.strategy.type !== 'custom',
  ),
  rule(
    'interventions.strategy',
    'effectiveness_threshold escalation_delay_seconds',
    ['interventions.strategy.type', '[interventions.strategy] type = "pattern_specific"'],
    (c) => c.interventions.strategy.type === 'pattern_specific',
  ),
];

/**
 * Returns a warning for each key that you set without effect.
 * @param written Paths of all values you set.
 * @param isOfCall Whether a key is set for this call only (`--no-commit`, `RALPH_…`), which isn't a mistake in the
 * file.
 */
export function withoutEffect(
  config: Config,
  written: readonly KeyPath[],
  isOfCall: (key: string) => boolean,
): KeyIssue[] {
  const off = RULES.filter(({ isOff, key }) => isOff(config) && !isOfCall(key));
  const issues = written.flatMap((path): KeyIssue[] => {
    const key = formatKey(path);
    const covers = (one: string) => key === one || key.startsWith(`${one}.`);
    const because = off.find(({ keys }) => keys.some(covers))?.setting;
    // A disabled setting has the wanted effect anyway.
    const isOff = [false, 'never'].includes(valueAt(config, path) as never);
    return because === undefined || isOff
      ? []
      : [{ path, message: `${showKey(path)} has no effect: ${because}` }];
  });
  return [...issues, ...gateKeys(config)];
}

function gateKeys({ gates, box }: Config): KeyIssue[] {
  return gates.commands.flatMap((gate, index): KeyIssue[] => {
    if (typeof gate === 'string') return [];
    const at = (key: string): KeyPath => ['gates', 'commands', index, key];
    const issue = (key: string, because: string) => ({
      path: at(key),
      message: `${showKey(at(key))} has no effect: ${because}`,
    });
    return [...(gate.box === undefined || box.mode !== 'off' ? [] : [issue('box', '[box] mode = "off"')])];
  });
}
