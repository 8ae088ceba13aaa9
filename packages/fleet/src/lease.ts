import type { Clock } from 'ralph-kit/clock';
import { GitError } from 'ralph-kit/git';
import type { Stop } from './protocol.ts';

/** Number of times that a lease is renewed before it would end. */
const BEATS = 3;

type Lease<Beat> = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly leaseMs: number;
  readonly beat: () => Promise<Beat>;
  readonly over: AbortSignal;
  readonly onBeat: (beat: Beat) => void;
};

/**
 * Renews a lease or lock until `over` fires or another process has it. While the engine can't be reached, the holder
 * keeps it.
 */
export async function keepLease<Beat extends string>({
  clock,
  leaseMs,
  beat,
  over,
  onBeat,
}: Lease<Beat>): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(leaseMs / BEATS, over);
    if (over.aborted) return;
    const now = await beat();
    onBeat(now);
    if (now === 'lost') return;
  }
}

type Patience = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: Stop;
  readonly warn: (message: string) => void;
  /** Milliseconds between two tries. */
  readonly waitMs: number;
};

/**
 * Asks a remote until it answers, and returns the answer; `null`: it was stopped. Only the first failure is
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
