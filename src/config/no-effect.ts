import { isService, programOf, TRACKER_KINDS } from 'ralph-task-lists';
import type { Config } from '../domain/config.ts';
import type { KeyIssue } from './check-shape.ts';
import { formatKey, type KeyPath, keysIn, showKey, valueAt } from './key-path.ts';

type Rule = {
  /** Dotted keys; a table stands for everything in it. */
  readonly keys: readonly string[];
  /** Deciding setting as in a file, for the warning. */
  readonly setting: string;
  readonly key: string;
  readonly isOff: (config: Config) => boolean;
};

function rule(keys: string, key: string, setting: string, isOff: Rule['isOff']): Rule {
  return { keys: keysIn(keys).map(formatKey), key, setting, isOff };
}

/** Returns the rule for keys that mean nothing while another key has a certain value. */
function whileIs(value: string | boolean, key: string, keys: string): Rule {
  const path = key.split('.');
  const setting = `${showKey(path)} = ${JSON.stringify(value)}`;
  return rule(keys, key, setting, (config) => valueAt(config, path) === value);
}

const SERVICES: readonly string[] = TRACKER_KINDS.filter(isService);

const oneOf = (kinds: readonly string[]) =>
  kinds
    .map((kind) => `"${kind}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');

const RULES: readonly Rule[] = [
  whileIs('never', 'git.commit', 'git: message push'),
  whileIs('never', 'git.push', 'git: pull_request'),
  rule('git: branch_prefix', 'git.branch_strategy', '[git] branch_strategy = "none"', ({ git }) => {
    return git.branch_strategy === 'none' && git.pull_request === 'never';
  }),
  rule(
    'tracker: comment_on_done close_on_done',
    'tracker.kind',
    `[tracker] kind isn't ${oneOf(SERVICES)}`,
    ({ tracker }) => !isService(tracker.kind),
  ),
  rule(
    'tracker: label',
    'tracker.kind',
    `[tracker] kind isn't ${oneOf([...SERVICES, 'json', 'auto'])}`,
    ({ tracker: { kind } }) => !isService(kind) && kind !== 'json' && kind !== 'auto',
  ),
  ...TRACKER_KINDS.filter((kind) => isService(kind) && programOf(kind) !== null).map((kind) =>
    whileIs(kind, 'tracker.kind', 'tracker: path'),
  ),
  rule('tracker: trust_commits', 'tracker.kind', '[tracker] kind is a service', ({ tracker }) =>
    isService(tracker.kind),
  ),
  whileIs('off', 'box.mode', 'box: writable readable hide sockets network gate_network docker'),
  rule('gates: timeout parallel output_limit', 'gates.commands', 'there are no gates', ({ gates }) => {
    return gates.commands.length === 0;
  }),
  rule('proof: mutants', 'loop.mode', 'mode "speed" makes no mutants', ({ loop, proof }) => {
    return loop.mode === 'speed' && proof.mutants > 0;
  }),
  whileIs(
    false,
    'review.enabled',
    'review: require_gate mode async_threshold risk rationality rules cache performance',
  ),
  rule('review: async_threshold', 'review.mode', '[review] mode isn\'t "async"', ({ review }) => {
    return review.mode !== 'async';
  }),
  whileIs(false, 'review.cache.enabled', 'review.cache: ttl_seconds'),
  whileIs(false, 'unblock.auto', 'unblock: max_auto_unblock_attempts'),
  whileIs(
    false,
    'adaptive_timeout.enabled',
    'adaptive_timeout: complexity_scaling failure_scaling learned max_timeout min_timeout timeout_multiplier_per_failure complexity',
  ),
  whileIs(false, 'adaptive_timeout.failure_scaling', 'adaptive_timeout: timeout_multiplier_per_failure'),
  whileIs(
    false,
    'interventions.enabled',
    'interventions: threshold_no_files threshold_false_completion aggressive_mode mid_stream stop cooldown_seconds custom_prompts_path max_interventions_per_task max_rollback_depth reduction_factors strategy weights soft_correction context_reinforcement resource_throttling checkpoint_rollback emergency_stop',
  ),
  whileIs(false, 'interventions.soft_correction.enabled', 'interventions.soft_correction: max_attempts'),
  whileIs(false, 'interventions.checkpoint_rollback.enabled', 'interventions: max_rollback_depth'),
  whileIs(false, 'interventions.resource_throttling.enabled', 'interventions: reduction_factors'),
  whileIs(false, 'interventions.auto_cleanup', 'interventions: preserve_incident_data_days'),
  rule(
    'interventions.strategy: module',
    'interventions.strategy.type',
    '[interventions.strategy] type isn\'t "custom"',
    ({ interventions }) => interventions.strategy.type !== 'custom',
  ),
  whileIs(
    'pattern_specific',
    'interventions.strategy.type',
    'interventions.strategy: effectiveness_threshold escalation_delay_seconds',
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
  if (box.mode !== 'off') return [];
  return gates.commands.flatMap((gate, index): KeyIssue[] => {
    if (typeof gate === 'string' || gate.box === undefined) return [];
    const path = ['gates', 'commands', index, 'box'];
    return [{ path, message: `${showKey(path)} has no effect: [box] mode = "off"` }];
  });
}
