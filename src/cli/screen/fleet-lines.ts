import { fitWidth } from 'ralph-kit/columns';
import { counted } from 'ralph-kit/counted';
import { fitParts, type Terminal } from '../../io/ui/index.ts';
import { clock, coordinatorText, waitingTexts } from '../../tell/index.ts';
import { flat, part, steady } from './parts.ts';
import type { Repo, Screen } from './state.ts';

export type ShownAttempt = NonNullable<Repo['data']>['attempts'][number];

/** Returns lines for the fleet's workers and waiting attempts. If there is little space, working ones come first. */
export function fleetLines(
  { now }: Screen,
  { data }: Repo,
  { style, width }: Terminal,
  most: number,
): string[] {
  if (data === null || data.fleet === null || most < 1) return [];
  const { status, problem } = data.fleet;
  if (status === null) return [style.yellow(fitWidth(steady(`Fleet: ${flat(problem)}`), width))];
  const { workers, paused } = status;
  const head = [
    part(`Fleet: ${counted(workers.length, 'worker')}`, 9),
    part(paused ? 'paused: ralph fleet resume' : '', 8),
    part(flat(coordinatorText(status)), 5, { least: 20 }),
  ];
  const waiting = waitingTexts(status).map((text) => style.yellow(fitWidth(steady(flat(text)), width)));
  const ago = (time: string) => clock(now - Date.parse(time));
  const lines = workers
    .toSorted((one, other) => Number(other.task !== null) - Number(one.task !== null))
    .map((worker) => {
      const { name, host, labels, agents, state, task, began, since, leaseMs } = worker;
      const parts = [
        part(flat(name), 9, { least: 6 }),
        part(task === null ? state : `${flat(task)} for ${ago(began ?? since)}`, 8),
        part(task !== null && state === 'draining' ? state : '', 7),
        part(`seen ${ago(since)} ago`, 6),
        part(flat(host), 5, { least: 6 }),
        part(flat(labels.join(', ')), 4),
        part(flat(agents.join(', ')), 3),
      ];
      // A silent worker may have lost its job to another worker.
      const isSilent = now - Date.parse(since) > leaseMs;
      const mark = task === null ? '·' : '▶';
      return `  ${(isSilent ? style.yellow : style.cyan)(mark)} ${fitParts(parts, width - 4)}`;
    });
  const room = Math.max(0, most - 1 - waiting.length);
  const shown = lines.length <= room ? lines : lines.slice(0, Math.max(0, room - 1));
  const left = lines.length - shown.length;
  return [
    style.bold(fitParts(head, width)),
    ...shown,
    ...(left === 0 ? [] : [style.dim(`  … ${counted(left, 'more worker')}: ralph fleet status`)]),
    ...waiting,
  ].slice(0, most);
}

/** Returns the start of an attempt by its worker's record, which replaces the coordinator's; `null`: unknown. */
export function beganAtWorker({ task_id }: ShownAttempt, { data }: Repo): string | null {
  return data?.fleet?.status?.workers.find(({ task }) => task === task_id)?.began ?? null;
}

/** Returns since when an attempt has been waiting for a worker; `null`: a worker has started it. */
export function waitsForWorker({ task_id, started_at }: ShownAttempt, { data }: Repo) {
  const waits = data?.fleet?.status?.queues.some(({ waiting }) => waiting.includes(task_id)) ?? false;
  return waits ? { words: 'waits for a worker', since: started_at } : null;
}
