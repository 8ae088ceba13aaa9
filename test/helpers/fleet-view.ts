import type { FleetView } from '../../src/app/commands/fleet/view.ts';

/** Returns a view of a fleet of three workers, of which one is active and one is silent, with a queue that is held. */
export function fleetView(nowMs: number, text: (what: string) => string = (what) => what): FleetView {
  const at = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
  const worker = {
    key: 'a',
    pid: 7,
    version: '1',
    agents: [text('claude')],
    labels: [text('gpu')],
    leaseMs: 30_000,
  };
  const idle = { ...worker, task: null, began: null, state: 'idle' as const };
  return {
    problem: null,
    status: {
      ...{ coordinator: text('process 12 on desk'), paused: false },
      workers: [
        { ...idle, name: text('one'), host: text('rack-1'), since: at(0) },
        { ...idle, name: text('two'), host: text('rack-2'), since: at(2) },
        {
          ...{ ...worker, name: text('three'), host: text('rack-3'), task: text('T-3'), state: 'working' },
          ...{ began: at(12), since: at(0) },
        },
      ],
      queues: [
        {
          ...{ agent: text('claude'), labels: [], held: true, why: 'held' },
          ...{ waiting: [text('T-4'), text('T-5')], active: [] },
        },
      ],
    },
  };
}
