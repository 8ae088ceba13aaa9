import { type Clock, GitError, type StopSignal } from '../../domain/ports.ts';

type Patience = {
  readonly clock: Clock;
  readonly stop: StopSignal;
  readonly warn: (message: string) => void;
  /** Milliseconds between two tries. */
  readonly waitMs: number;
};

/**
 * Asks a remote until it answers, and returns the answer; `null`: you stopped the run. Only the first failure is
 * reported.
 */
export async function retryUntilAnswered<T>(
  work: () => Promise<T>,
  { clock, stop, warn, waitMs }: Patience,
): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (tries === 1) warn(`The remote doesn't answer; it is asked until it does: ${error.message}`);
      if (stop.polite.aborted) return null;
      await clock.sleep(waitMs, stop.polite);
    }
  }
}
