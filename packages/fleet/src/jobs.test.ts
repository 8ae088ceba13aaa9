import { EventEmitter, once } from 'node:events';
import { deferred } from 'ralph-kit/deferred';
import { describe, expect, it } from 'vitest';
import { openMemoryRemote } from '../../../test/helpers/memory-git.ts';
import type { RemoteClone } from '../../../test/helpers/remote-suite.ts';
import type { Beat, Claim, Engine, JobRef, JobState, WorkerReport } from '../index.d.ts';
import { openCoordinator } from './coordinator.ts';
import { openRemote } from './remote.ts';
import { workAtJob } from './worker.ts';

const NEVER = new AbortController().signal;
const TREE = { 'made.txt': 'made' };

/** A clock whose time doesn't pass: a sleep ends by its signal alone. */
const still = {
  monotonicMs: () => 0,
  sleep: async (_ms: number, signal: AbortSignal = NEVER) => {
    if (!signal.aborted) await once(signal, 'abort');
  },
};

/** An engine in memory, with the claim that a worker gets for the next job. */
function openEngine(workers: readonly WorkerReport[] = []) {
  const [jobs, ended, queued] = [new Map<string, JobState>(), new EventEmitter(), new EventEmitter()];
  const over = (id: string) => {
    jobs.set(id, 'gone');
    ended.emit(id);
  };
  const engine: Partial<Engine> = {
    leaseMs: 900,
    add: async (_queue, job) => {
      jobs.set(job.id, 'waiting');
      queued.emit('job', job);
    },
    stateOf: async (_queue, id) => jobs.get(id) ?? 'gone',
    remove: async (_queue, id) => void jobs.delete(id),
    isCancelled: async () => false,
    isPaused: async () => false,
    workers: async () => workers,
    ended: async (id, signal) => void (await once(ended, id, { signal }).catch(() => undefined)),
  };
  const calls: string[] = [];
  return {
    engine: engine as Engine,
    /** What was done with claims, in order. */
    calls,
    /** Has a job checked once more, as after news that were missed. */
    wake: (id: string) => ended.emit(id),
    nextClaim: async (beat: () => Promise<Beat> = async () => 'held'): Promise<Claim> => {
      const [job] = (await once(queued, 'job')) as [JobRef];
      jobs.set(job.id, 'active');
      return {
        job,
        beat,
        finish: async () => {
          calls.push('finished');
          over(job.id);
        },
        release: async () => void calls.push('released'),
        log: () => undefined,
      };
    },
  };
}

const worker = (name: string, key: string): WorkerReport => ({
  name,
  key,
  host: 'h',
  pid: 1,
  version: '1',
  agents: ['mine'],
  labels: [],
  task: null,
  began: null,
  since: '2030-01-01T00:00:00.000Z',
  leaseMs: 900,
  state: 'idle',
});

async function openFleet({ trusts = true, workers = [] as WorkerReport[] } = {}) {
  const clone = openMemoryRemote();
  const [run, other]: [RemoteClone, RemoteClone] = [await clone(), await clone()];
  if (trusts) run.trust(other.seal.key);
  other.trust(run.seal.key);
  const fleet = openEngine(workers);
  const warnings: string[] = [];
  const warned = deferred<void>();
  const warn = (message: string) => {
    warnings.push(message);
    warned.resolve();
  };
  const remote = openRemote(run.git, run.seal);
  const coordinator = openCoordinator({
    engine: fleet.engine,
    remote,
    clock: still,
    hash: (text) => text,
    labels: [],
    warn,
    enrolled: () => ['trusted'],
    jobIn: (document) => JSON.parse(document),
    missing: (what) => (typeof what === 'string' ? what : `${what.name} isn't enrolled`),
  });
  const base = await run.git.firstCommit();
  const startTree = (await run.git.find('HEAD^{tree}')) ?? '';
  const lost: number[] = [];
  return {
    ...fleet,
    coordinator,
    remote,
    warnings,
    warned: warned.promise,
    lost,
    start: (iteration: number, cutOff: readonly number[] = [], goal = 'add it') =>
      coordinator.attempt({
        taskId: 'T-1',
        iteration,
        agent: 'mine',
        base,
        startTree,
        goal,
        cutOff,
        graceMs: 0,
        stop: { polite: NEVER, forced: NEVER },
        document: () => JSON.stringify({ iteration, agent: 'mine', goal }),
        onLost: (count) => lost.push(count),
      }),
    /** Makes the attempt of a claim, which delivers one file. */
    work: (claim: Claim, given: Partial<Parameters<typeof workAtJob<{ text: string }>>[0]> = {}) =>
      workAtJob<{ text: string }>({
        claim,
        remote: openRemote(other.git, other.seal),
        clock: still,
        stop: { polite: NEVER, forced: NEVER },
        leaseMs: 900,
        name: 'other',
        warn,
        accept: (signed) => (signed.kind === 'signed' ? { text: signed.document } : null),
        attempt: async () => ({
          tree: await other.git.makeTree(TREE, {}),
          files: { 'output.log': 'worked\n' },
          document: (record) => JSON.stringify({ record, said: 'done' }),
        }),
        ...given,
      }),
  };
}

describe('an attempt in a fleet', () => {
  it('is taken as a worker delivers it', async () => {
    const fleet = await openFleet();
    const claim = fleet.nextClaim();
    const ended = fleet.start(1);
    expect(await fleet.work(await claim)).toEqual({ kind: 'delivered' });
    expect(await ended).toMatchObject({
      kind: 'delivered',
      files: { 'output.log': 'worked\n' },
      isCancelled: false,
      earlier: null,
      lost: [],
    });
    expect(fleet.calls).toEqual(['finished']);
    expect(fleet.coordinator.landings(new Map([['T-1', 'landed']]))).toMatchObject([{ to: 'landed' }]);
  });

  it('ends with the key of a machine that is not enrolled', async () => {
    const fleet = await openFleet({ trusts: false });
    const claim = fleet.nextClaim();
    const ended = fleet.start(1);
    await fleet.work(await claim);
    expect(await ended).toEqual({ kind: 'unknown', key: '2', lost: [] });
    expect(fleet.coordinator.landings(new Map([['T-1', 'landed']]))).toEqual([]);
  });

  it('is given back by a worker that refuses it or did not begin, and over for one that has no use for it', async () => {
    const fleet = await openFleet();
    const claim = fleet.nextClaim();
    void fleet.start(1);
    const at = await claim;
    const refused = { kind: 'refused', message: 'no', next: 'pull', passes: false } as const;
    expect(await fleet.work(at, { accept: () => refused })).toEqual(refused);
    expect(await fleet.remote.look('T-1')).toMatchObject({ kind: 'offered' });
    expect(await fleet.work(at, { attempt: async () => null })).toEqual({ kind: 'given_back' });
    expect(await fleet.remote.look('T-1')).toMatchObject({ kind: 'offered' });
    expect(await fleet.work(at, { accept: () => null })).toEqual({ kind: 'over' });
    expect(fleet.calls).toEqual(['released', 'released', 'finished']);
  });

  it('is stopped once its lease is lost, and only its record is kept', async () => {
    const fleet = await openFleet();
    const claim = fleet.nextClaim(async () => 'lost');
    const ended = fleet.start(1);
    const at = await claim;
    const [began, given] = [new AbortController(), { 'output.log': 'half\n' }];
    // The lease is renewed once the attempt has begun.
    const clock = { ...still, sleep: () => still.sleep(0, began.signal) };
    const outcome = await fleet.work(at, {
      clock,
      attempt: async (_job, { stop }) => {
        began.abort();
        if (!stop.forced.aborted) await once(stop.forced, 'abort');
        return { tree: '', files: given, document: (record) => JSON.stringify({ record, said: 'half' }) };
      },
    });
    expect(outcome).toEqual({ kind: 'lost' });
    expect(await fleet.remote.look('T-1')).toMatchObject({ kind: 'claimed' });
    expect(await fleet.work({ ...at, beat: async () => 'held' })).toEqual({ kind: 'delivered' });
    const { lost } = await ended;
    expect(lost.map(({ document }) => JSON.parse(document ?? '{}').said)).toEqual(['half']);
    expect(fleet.lost).toEqual([1]);
  });

  it('of an iteration that was cut off is used for the same goal, and is lost for another', async () => {
    const fleet = await openFleet();
    const claim = fleet.nextClaim();
    void fleet.start(1);
    const [begun, wait] = [deferred<void>(), deferred<void>()];
    const working = fleet.work(await claim, {
      attempt: async () => {
        begun.resolve();
        await wait.promise;
        return null;
      },
    });
    await begun.promise;
    const next = fleet.nextClaim();
    const other = fleet.start(2, [1], 'remove it');
    const [second, state] = [await next, await fleet.remote.look('T-1')];
    expect(state).toMatchObject({ kind: 'offered' });
    await fleet.work(second);
    expect(await other).toMatchObject({ kind: 'delivered', earlier: null, lost: [{ document: null }] });
    expect(await fleet.start(3, [2], 'remove it')).toMatchObject({
      kind: 'delivered',
      earlier: { iteration: 2 },
    });
    wait.resolve();
    await working;
  });

  it.each([
    ['no_worker', []],
    ["one isn't enrolled", [worker('one', 'unknown')]],
    [null, [worker('one', 'trusted')]],
  ] as const)('that no worker starts says why: %s', async (why, workers) => {
    const fleet = await openFleet({ workers: [...workers] });
    const queued = fleet.nextClaim();
    const ended = fleet.start(1);
    const claim = await queued;
    // It waits in the queue again, and is checked.
    await fleet.engine.add('mine', claim.job);
    fleet.wake(claim.job.id);
    if (why !== null) await fleet.warned;
    await fleet.work(claim);
    await claim.finish();
    await ended;
    expect(fleet.warnings).toEqual(why === null ? [] : [`T-1 isn't started: ${why}.`]);
  });
});
