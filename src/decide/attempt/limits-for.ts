import type { Config } from '../../domain/config.ts';
import type { Limits } from '../../domain/intervention.ts';
import type { TaskState } from '../../domain/records/state.ts';

/** The limits of the configuration (`[limits]`). */
export function configuredLimits({ limits, review }: Pick<Config, 'limits' | 'review'>): Limits {
  return {
    // Named as a rule, it can be switched off as one.
    fileOperations: review.rules.disabled.includes('limit_file_operations') ? 0 : limits.max_file_operations,
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
