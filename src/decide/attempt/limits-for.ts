import type { Config } from '../../domain/config.ts';
import type { Limits } from '../../domain/intervention.ts';
import type { InterventionSettings } from '../../domain/intervention-settings.ts';
import type { TaskState } from '../../domain/records/state.ts';

/** The limits of the configuration (`[limits]`). */
export function configuredLimits({ limits }: Pick<Config, 'limits'>): Limits {
  return {
    fileOperations: limits.max_file_operations,
    memoryMb: limits.max_memory_mb,
    tokens: limits.max_tokens,
    executionSeconds: limits.max_execution_time,
    batchSize: limits.batch_size,
  };
}

/** The limits of the next attempt: the strictest of the configuration, of throttling and of what you chose after an incident. */
export function limitsFor(configured: Limits, { throttle, restriction }: TaskState): Limits {
  const all = [configured, throttle?.limits, restriction?.limits].filter((one) => one !== undefined);
  const strictest = (which: keyof Limits) => {
    const set = all.map((one) => one[which]).filter((value) => value > 0);
    return set.length === 0 ? 0 : Math.min(...set);
  };
  return {
    fileOperations: strictest('fileOperations'),
    memoryMb: strictest('memoryMb'),
    tokens: strictest('tokens'),
    executionSeconds: strictest('executionSeconds'),
    batchSize: strictest('batchSize'),
  };
}

/** Seconds that an attempt may take: its timeout, or the limit of the time where that is shorter. */
export function attemptSeconds(
  timeoutSeconds: number,
  { executionSeconds: limit }: Pick<Limits, 'executionSeconds'>,
): number {
  return limit > 0 ? Math.min(timeoutSeconds, limit) : timeoutSeconds;
}

/** The controller's input; `texts`: your templates for soft corrections, by issue. */
export function controlSettings({
  config: { interventions },
  texts,
}: {
  readonly config: Pick<Config, 'interventions'>;
  readonly texts: Readonly<Record<string, string>>;
}): InterventionSettings {
  const { strategy, reduction_factors, safe_checkpoint, weights } = interventions;
  const ofType = (one: { readonly enabled: boolean; readonly max_attempts: number }) => ({
    enabled: one.enabled,
    maxAttempts: one.max_attempts,
  });
  return {
    strategy: strategy.type,
    effectivenessThreshold: strategy.effectiveness_threshold,
    escalationDelaySeconds: strategy.escalation_delay_seconds,
    cooldownSeconds: interventions.cooldown_seconds,
    maxPerTask: interventions.max_interventions_per_task,
    maxPerRun: interventions.max_interventions_per_run,
    types: {
      soft_correction: ofType(interventions.soft_correction),
      context_reinforcement: ofType(interventions.context_reinforcement),
      resource_throttling: ofType(interventions.resource_throttling),
      checkpoint_rollback: ofType(interventions.checkpoint_rollback),
      emergency_stop: ofType(interventions.emergency_stop),
    },
    reductionFactors: { ...reduction_factors },
    metricsWindowSeconds: interventions.metrics_window_seconds,
    maxRollbackDepth: interventions.max_rollback_depth,
    safeCheckpoint: {
      minSuccessRate: safe_checkpoint.min_success_rate,
      noErrorsSeconds: safe_checkpoint.no_errors_seconds,
    },
    weights: Object.fromEntries(
      Object.entries(weights).map(([issue, { confidence, impact_factor }]) => [
        issue,
        {
          ...(confidence === undefined ? {} : { confidence }),
          ...(impact_factor === undefined ? {} : { impactFactor: impact_factor }),
        },
      ]),
    ),
    texts: { ...texts },
  };
}
