import type { Clock } from '../../domain/ports.ts';

/** Renewals in the time of a lease. */
const BEATS = 3;

type Lease<Beat> = {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly leaseMs: number;
  readonly beat: () => Promise<Beat>;
  /** Ends it. */
  readonly over: AbortSignal;
  readonly onBeat: (beat: Beat) => void;
};

/** Renews a lease or a lock until it is over or lost, and says what came of each renewal. An engine that is away takes it from no holder. */
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
