import type { Clock } from '../../domain/ports.ts';

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
