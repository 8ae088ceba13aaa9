import { type Clock, GitError, type StopSignal } from '../../domain/ports.ts';

type Patience = {
  readonly clock: Clock;
  readonly stop: StopSignal;
  readonly warn: (message: string) => void;
  /** From one try to the next, in milliseconds. */
  readonly waitMs: number;
};

/** Asks a remote until it answers; `null`: you stopped it. What is wrong is said once. */
export async function patiently<T>(
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
