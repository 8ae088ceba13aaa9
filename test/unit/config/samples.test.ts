import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { modeSettings } from '../../../src/config/index.ts';
import { loaded } from './load.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/configurations/', import.meta.url));
const sample = (name: string) => readFileSync(`${FOLDER}${name}.toml`, 'utf8');
const messages = (name: string) => loaded(sample(name)).warnings.map(({ message }) => message);

describe('the sample configurations of the documents that this program came from', () => {
  it.each(readdirSync(FOLDER))('%s loads: no key of it is unknown', (file) => {
    const { unknownKeys, warnings } = loaded(readFileSync(`${FOLDER}${file}`, 'utf8'));
    expect(unknownKeys).toEqual([]);
    expect(warnings.filter(({ line }) => line === null)).toEqual([]);
  });

  it('interventions: every value has its effect under its name here', () => {
    const { config } = loaded(sample('interventions'));
    expect(config.interventions).toMatchObject({
      ...{ max_interventions_per_task: 12, cooldown_seconds: 45 },
      soft_correction: { enabled: true, max_attempts: 4 },
      custom_prompts_path: './config/intervention_prompts.yaml',
      ...{ reinforcement_strength: 'strong', include_examples: false, metrics_window_seconds: 90 },
      reduction_factors: { moderate: 0.8, high: 0.7, aggressive: 0.4, severe: 0.2 },
      max_rollback_depth: 2,
      safe_checkpoint: { min_success_rate: 0.9, no_errors_seconds: 30 },
      ...{ auto_cleanup: true, preserve_incident_data_days: 14 },
      strategy: { type: 'pattern_specific', effectiveness_threshold: 0.7, escalation_delay_seconds: 60 },
    });
    expect(config.checkpoints.retention_minutes).toBe(45);
  });

  it('interventions: one line for each section says what its keys became, one what has no effect', () => {
    expect(messages('interventions')).toEqual([
      '[interventions] max_interventions_per_execution is read as [interventions] max_interventions_per_task, intervention_cooldown_seconds as [interventions] cooldown_seconds',
      '[interventions.soft_correction] custom_prompts_path is read as [interventions] custom_prompts_path',
      '[interventions.context_reinforcement] reinforcement_strength is read as [interventions] reinforcement_strength, include_examples as [interventions] include_examples',
      '[interventions.resource_throttling] metrics_window_seconds is read as [interventions] metrics_window_seconds',
      '[interventions.resource_throttling.reduction_factors] moderate is read as [interventions.reduction_factors] moderate, aggressive as [interventions.reduction_factors] aggressive, severe as [interventions.reduction_factors] severe',
      '[interventions.checkpoint_rollback] max_rollback_depth is read as [interventions] max_rollback_depth, checkpoint_retention_minutes as [checkpoints] retention_minutes',
      '[interventions.checkpoint_rollback.safe_checkpoint_criteria] min_success_rate is read as [interventions.safe_checkpoint] min_success_rate, no_errors_duration_seconds as [interventions.safe_checkpoint] no_errors_seconds',
      '[interventions.emergency_stop] auto_cleanup is read as [interventions] auto_cleanup, notification_channels as [interventions] notification_channels, preserve_incident_data_days as [interventions] preserve_incident_data_days',
      '[interventions] notification_channels: "email" isn\'t set up: set [notify] command (docs/CONFIGURATION.md, "Mail", has the line)',
      '[interventions] notification_channels: "slack" isn\'t set up: set [notify] webhook',
      '[interventions.strategy] effectiveness_threshold has no effect: [interventions.strategy] type = "pattern_specific"',
      '[interventions.strategy] escalation_delay_seconds has no effect: [interventions.strategy] type = "pattern_specific"',
    ]);
  });

  it('the step reviewer is [review], and keys with other names are said', () => {
    const { config } = loaded(sample('step-reviewer'));
    expect(config.review.enabled).toBe(true);
    expect(messages('step-reviewer')).toEqual([
      '[step_reviewer] is read as [review]',
      '[step_reviewer.cache] ttl_minutes is read as [review.cache] ttl_seconds = 300',
      '[step_reviewer.performance] async_threshold is read as [review] async_threshold',
    ]);
    expect(config.review).toMatchObject({ mode: 'async', async_threshold: 0.3 });
    expect(config.review.cache).toEqual({ enabled: true, ttl_seconds: 300 });
  });

  it('the overrides of a pipeline are [review] too', () => {
    expect(loaded(sample('step-reviewer-overrides')).config.review.enabled).toBe(false);
    expect(messages('step-reviewer-overrides')[0]).toBe('[safety.step_reviewer] is read as [review]');
  });

  it('the backend design: base timeouts are those of the modes and of the levels', () => {
    const { config } = loaded(sample('backend-design'));
    expect(modeSettings(config).timeoutSeconds).toBe(150);
    expect(config.adaptive_timeout).toMatchObject({ max_timeout: 3000, min_timeout: 50 });
    expect(config.adaptive_timeout.complexity.simple).toMatchObject({ base_timeout: 70, multiplier: 1 });
    expect(config.interventions).toMatchObject({ threshold_no_files: 4, aggressive_mode: true });
    expect(messages('backend-design')).toEqual([
      '[adaptive_timeout] base_timeout is read as [modes.*] timeout',
      '[adaptive_timeout.complexity.simple] base_timeout_seconds is read as [adaptive_timeout.complexity.simple] base_timeout',
    ]);
    expect(config.unblock).toMatchObject({ auto: true, max_auto_unblock_attempts: 2 });
  });

  it('human-gates: every value has its effect under its name here', () => {
    expect(messages('human-gates')).toEqual([]);
    expect(loaded(sample('human-gates')).config.human.gates).toMatchObject({
      'GATE-AP-RECOVERY': {
        recovery_attempts: 3,
        timeout: 28_800,
        on_timeout: 'escalate',
      },
      'GATE-AP-FALSE-POSITIVE': { detection_confidence: 0.7, signature: true },
      'GATE-AP-DESTRUCTIVE': { coverage_delta: -2, skip_patterns_added: 0, on_timeout: 'block' },
    });
  });

  it('corrective-actions: every value has its effect under its name here', () => {
    expect(messages('corrective-actions')).toEqual([]);
  });
});
