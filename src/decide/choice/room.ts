import { counted } from '../../lib/counted.ts';
import { formatDuration } from '../../lib/duration.ts';

/** What there is for another attempt beside those that are at work. */
export type Room = {
  /** Where copies lie, and what one takes there; `null`: that isn't known. In bytes. */
  readonly disk: { readonly free: number; readonly copy: number } | null;
  /** Bytes that programs can get; `null`: that isn't known. */
  readonly memory: number | null;
  /** Results that wait for their gates; how long these take a result on average, and an agent an attempt: `null`: no attempt ended yet. */
  readonly queue: {
    readonly waiting: number;
    readonly pace: { readonly gatesMs: number; readonly agentMs: number } | null;
  };
};

export const SHORTAGES = ['disk', 'memory', 'gates'] as const;
export type Shortage = (typeof SHORTAGES)[number];

/** An attempt begins with one copy, and its gates with another one. */
const COPIES = 2;
/** A quarter of the memory that makers of agents ask for in a whole machine: 4 GB (Claude Code, system requirements). */
const MEMORY = 1024 ** 3;

/** What another attempt lacks, beside others; `null`: nothing. What waits for gates longer than an attempt takes needs no more company. */
export function shortageOf({ disk, memory, queue }: Room): Shortage | null {
  if (disk !== null && disk.free < COPIES * disk.copy) return 'disk';
  if (memory !== null && memory < MEMORY) return 'memory';
  const { waiting, pace } = queue;
  return waiting > 0 && pace !== null && waiting * pace.gatesMs > pace.agentMs ? 'gates' : null;
}

/** Why fewer workers than asked for are at work. */
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
