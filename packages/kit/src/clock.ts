/**
 * Clocks. `now` returns wall time as ISO 8601 UTC. The other two never go back: `monotonicMs`, and `processorMs`, the
 * processor time that ralph's own process used.
 */
export interface Clock {
  now(): string;
  monotonicMs(): number;
  processorMs(): number;
  /** Resolves after that many milliseconds, or as soon as the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
