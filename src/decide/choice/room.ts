import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';

export type Room = {
  /** Free bytes where copies are made, and bytes of one copy; `null`: unknown. */
  readonly disk: { readonly free: number; readonly copy: number } | null;
  /** Bytes of available memory; `null`: unknown. */
  readonly memory: number | null;
  /**
   * Results that wait for gates. `pace`: mean milliseconds of gates per result and of the agent per attempt; `null`:
   * none has ended.
   */
  readonly queue: {
    readonly waiting: number;
    readonly pace: { readonly gatesMs: number; readonly agentMs: number } | null;
  };
};

export const SHORTAGES = ['disk', 'memory', 'gates'] as const;
export type Shortage = (typeof SHORTAGES)[number];

/** Copies that an attempt needs: one for its agent, and one for its gates. */
const COPIES = 2;
/**
 * Bytes of memory for an attempt: a quarter of the 4 GB that makers of agents require of a machine (Claude Code, system
 * requirements).
 */
const MEMORY = 1024 ** 3;

/**
 * Returns what is short for another attempt; `null`: nothing. If gates take longer than agents, another attempt doesn't
 * help.
 */
export function shortageOf({ disk, memory, queue }: Room): Shortage | null {
  if (disk !== null && disk.free < COPIES * disk.copy) return 'disk';
  if (memory !== null && memory < MEMORY) return 'memory';
  const { waiting, pace } = queue;
  return waiting > 0 && pace !== null && waiting * pace.gatesMs > pace.agentMs ? 'gates' : null;
}

export function shortageText(
  which: Shortage,
  { disk, memory, queue: { waiting, pace } }: Room,
  workers: { readonly used: number; readonly asked: number },
): string {
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;
  const why = {
    disk: `${megabytes(disk?.free ?? 0)} of disk are free, and two copies of the work tree take ${megabytes(COPIES * (disk?.copy ?? 0))}`,
    memory: `${megabytes(memory ?? 0)} of memory are free, and an attempt should have ${megabytes(MEMORY)}`,
    gates: `${counted(waiting, 'result')} ${waiting === 1 ? 'waits' : 'wait'} for gates, ${formatDuration(waiting * (pace?.gatesMs ?? 0))} of them: longer than an attempt takes`,
  } satisfies Record<Shortage, string>;
  return `${workers.used} of ${workers.asked} workers for now: ${why[which]}.`;
}
