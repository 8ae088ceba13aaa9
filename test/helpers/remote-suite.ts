import { type FleetGit, openRemote, type Seal } from 'ralph-fleet/jobs';
import type { RefMove } from 'ralph-kit/git';
import { expect, it } from 'vitest';

const TASK = 'AUTH 1/ä';
const document = (record: string) => JSON.stringify({ record });

/** A clone of a remote whose branch `main` has a commit, its key, and how it trusts another key. */
export type RemoteClone = {
  readonly git: FleetGit;
  readonly seal: Seal;
  readonly trust: (key: string) => void;
};

/** Tests that a remote of attempts has to pass on each git. @param openClones Makes a remote; its function clones that. */
export function remoteSuite(openClones: () => Promise<() => Promise<RemoteClone>>) {
  /** Returns a function that clones a new remote. */
  const fleet = async () => {
    const open = await openClones();
    return async () => {
      const { git, seal, trust } = await open();
      return {
        git,
        seal,
        trust,
        remote: openRemote(git, seal),
        id: async (name: string) => (await git.find(name)) ?? '',
        treeWith: (name: string) => git.makeTree({ [name]: name }, {}),
        /** Returns kind and claim, or kind and task, of the refs on the remote. */
        refs: async (by: 'claim' | 'task' = 'claim') => {
          const all = await git.listed(['refs/ralph/tasks/*', 'refs/ralph/records/*']);
          const parts = [...all.keys()].map((ref) => ref.split('/'));
          return parts.map((part) => `${part[2]} ${by === 'task' ? part[3] : part.at(-1)}`).toSorted();
        },
      };
    };
  };
  type Clone = Awaited<ReturnType<Awaited<ReturnType<typeof fleet>>>>;
  /** Enrols two machines with each other. */
  const introduce = (one: Clone, other: Clone) => {
    one.trust(other.seal.key);
    other.trust(one.seal.key);
  };

  it('are offered, claimed, delivered and taken', async () => {
    const clone = await fleet();
    const [coordinator, worker] = [await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.treeWith('begun.txt');
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'none' });
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"a":1}' });
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'offered', job });
    expect(await worker.remote.job(TASK, job)).toEqual({ kind: 'unknown', key: coordinator.seal.key });
    introduce(coordinator, worker);
    expect(await worker.remote.job(TASK, job)).toEqual({ kind: 'signed', document: '{"a":1}' });
    expect(await worker.remote.begin(job)).toEqual({
      ...{ base, baseTree: await coordinator.id('HEAD^{tree}'), startTree },
    });
    const claim = await worker.remote.claim(TASK, job, 'one');
    expect(await coordinator.remote.look(TASK)).toEqual({
      kind: 'claimed',
      job,
      claim,
      worker: 'one',
      lost: [],
    });
    const tree = await worker.treeWith('made.txt');
    const files = { 'output.log': 'worked\n' };
    expect(await worker.remote.deliver({ taskId: TASK, claim: claim ?? '', tree, document, files })).toBe(
      true,
    );
    const now = await coordinator.remote.look(TASK);
    if (now.kind !== 'delivered') throw new Error(now.kind);
    expect(now).toMatchObject({ job, claim });
    const taken = await coordinator.remote.take(TASK, now.claim, now.result);
    if (taken.kind === 'unknown') throw new Error(taken.key);
    expect(taken.tree).toBe(tree);
    const { record } = JSON.parse(taken.document) as { record: string };
    expect(await coordinator.remote.record(TASK, now.claim, record)).toEqual(files);
    // All objects of the delivered work are here.
    expect(await coordinator.git.text(tree, 'made.txt')).toBe('made.txt');
  });

  it('are delivered by the newest claim alone', async () => {
    const clone = await fleet();
    const [coordinator, zombie, other] = [await clone(), await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{}' });
    const first = (await zombie.remote.claim(TASK, job, 'zombie')) ?? '';
    const second = (await other.remote.claim(TASK, job, 'other')) ?? '';
    const late = {
      taskId: TASK,
      claim: first,
      tree: await zombie.treeWith('z.txt'),
      document,
      files: { a: 'z' },
    };
    expect(await zombie.remote.deliver(late)).toBe(false);
    const good = { taskId: TASK, claim: second, tree: await other.treeWith('o.txt'), document, files: {} };
    expect(await other.remote.deliver(good)).toBe(true);
    expect(await zombie.remote.deliver(late)).toBe(false);
    // Neither of the two refs of the refused push is there; the record can be kept alone.
    expect(await zombie.refs()).not.toContain(`records ${first}`);
    await zombie.remote.keepRecord(late);
    expect(await zombie.refs()).toContain(`records ${first}`);
    expect(await coordinator.remote.look(TASK)).toMatchObject({ kind: 'delivered', claim: second });
    expect(await zombie.remote.claim(TASK, job, 'zombie')).toBeNull();
  });

  it('are nothing any more once the task is offered anew', async () => {
    const clone = await fleet();
    const [coordinator, worker] = [await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"n":1}' });
    const claim = (await worker.remote.claim(TASK, job, 'one')) ?? '';
    const again = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"n":2}' });
    expect(await worker.remote.deliver({ taskId: TASK, claim, tree: startTree, document, files: {} })).toBe(
      false,
    );
    expect(await worker.remote.claim(TASK, job, 'one')).toBeNull();
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'offered', job: again });
  });

  it('name the claims that were lost, with what their workers say of them', async () => {
    const clone = await fleet();
    const [coordinator, first, second] = [await clone(), await clone(), await clone()];
    introduce(coordinator, first);
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{}' });
    const [one, two] = [
      (await first.remote.claim(TASK, job, 'one')) ?? '',
      (await second.remote.claim(TASK, job, 'two')) ?? '',
    ];
    const three = (await second.remote.claim(TASK, job, 'three')) ?? '';
    expect(await coordinator.remote.look(TASK)).toMatchObject({ claim: three, lost: [two, one] });
    // An attempt that didn't begin isn't listed as lost.
    await second.remote.giveBack(TASK, three);
    expect(await coordinator.remote.look(TASK)).toMatchObject({ claim: two, lost: [one] });
    expect(await coordinator.remote.lostRecord(TASK, one)).toBeNull();
    const kept = { taskId: TASK, claim: one, document: () => '{"used":1}', files: { 'output.log': 'x' } };
    await first.remote.keepRecord(kept);
    const said = { kind: 'signed', document: '{"used":1}' };
    expect(await coordinator.remote.lostRecord(TASK, one)).toEqual(said);
    await second.remote.deliver({ taskId: TASK, claim: two, tree: startTree, document, files: {} });
    const delivered = { kind: 'delivered', lost: [one] };
    expect(await coordinator.remote.look(TASK)).toMatchObject(delivered);
    // A machine that knows nothing of the task asks once for everything.
    const other = await clone();
    const all = await other.remote.lookAll([TASK, 'T-9']);
    expect([...all]).toMatchObject([[TASK, delivered]]);
    expect(await other.remote.jobText(job)).toBe('{}');
    // What a machine says that isn't enrolled counts for nothing.
    expect(await coordinator.remote.lostRecord(TASK, two)).toMatchObject({ kind: 'unknown' });
  });

  it('are taken back and given back by who is not too late', async () => {
    const clone = await fleet();
    const [coordinator, worker] = [await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const offer = { taskId: TASK, base, startTree, document: '{}' };
    const job = await coordinator.remote.offer(offer);
    const claim = (await worker.remote.claim(TASK, job, 'one')) ?? '';
    // The job is claimed by now, so it can't be withdrawn.
    expect(await coordinator.remote.withdraw(TASK, job)).toBe(false);
    await worker.remote.giveBack(TASK, claim);
    expect(await coordinator.remote.look(TASK)).toEqual({ kind: 'offered', job });
    expect(await coordinator.remote.withdraw(TASK, job)).toBe(true);
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'none' });
    expect(await worker.remote.claim(TASK, job, 'one')).toBeNull();
    const late = { taskId: TASK, claim, tree: startTree, document, files: {} };
    expect(await worker.remote.deliver(late)).toBe(false);
    // The same job again is a job like any other.
    expect(await worker.remote.claim(TASK, await coordinator.remote.offer(offer), 'one')).not.toBeNull();
  });

  it('land by one push that moves the branch and the ref of the task, or neither', async () => {
    const clone = await fleet();
    const [coordinator, worker, other] = [await clone(), await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{}' });
    const claim = (await worker.remote.claim(TASK, job, 'one')) ?? '';
    await worker.remote.deliver({
      taskId: TASK,
      claim,
      tree: await worker.treeWith('m.txt'),
      document,
      files: {},
    });
    const now = await coordinator.remote.look(TASK);
    if (now.kind !== 'delivered') throw new Error(now.kind);
    const { result } = now;
    const landed = await coordinator.git.makeCommit(startTree, [base], 'the work\n');
    // Another coordinator has offered the task anew: this one isn't the one that lands it.
    const anew = await other.remote.offer({ taskId: TASK, base, startTree, document: '{"n":2}' });
    const move = coordinator.remote.landing(TASK, result, landed);
    const branch = { ref: 'refs/heads/main', from: base, to: landed };
    expect(await coordinator.git.push([branch, move])).toBe(false);
    expect(await worker.git.listed([branch.ref])).toEqual(new Map([[branch.ref, base]]));
    expect(await coordinator.git.push([branch, { ...move, from: anew }])).toBe(true);
    const both = [branch.ref, move.ref];
    expect(await worker.git.listed(both)).toEqual(new Map(both.map((ref) => [ref, landed])));
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'none' });
  });

  it('are deleted once they have landed, with their records where those are old, and none that has not', async () => {
    const clone = await fleet();
    const [coordinator, worker] = [await clone(), await clone()];
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const deliver = async (taskId: string) => {
      const job = await coordinator.remote.offer({ taskId, base, startTree, document: '{}' });
      const claim = (await worker.remote.claim(taskId, job, 'one')) ?? '';
      await worker.remote.deliver({
        taskId,
        claim,
        tree: await worker.treeWith('m.txt'),
        document,
        files: {},
      });
      const now = await coordinator.remote.look(taskId);
      return now.kind === 'delivered' ? now.result : '';
    };
    const tip = await coordinator.git.makeCommit(startTree, [base], 'the work\n');
    const moves: RefMove[] = [{ ref: 'refs/heads/main', from: base, to: tip }];
    for (const task of ['T-1', 'T-2']) moves.push(coordinator.remote.landing(task, await deliver(task), tip));
    await deliver('T-3');
    await coordinator.remote.offer({ taskId: 'T-4', base, startTree, document: '{}' });
    await coordinator.git.push(moves);
    const all = ['T-1', 'T-2', 'T-3', 'T-4'];
    const none = new Map();
    expect(await coordinator.remote.prune({ tip: base, results: none, tasks: all, records: all })).toBe(0);
    expect(await coordinator.remote.prune({ tip, results: none, tasks: all, records: ['T-2', 'T-3'] })).toBe(
      3,
    );
    expect(await worker.refs('task')).toEqual(['records T-1', 'records T-3', 'tasks T-3', 'tasks T-4']);
    // Results whose own ref was removed before count, too.
    expect(await coordinator.remote.prune({ tip, results: none, tasks: ['T-1'], records: ['T-1'] })).toBe(1);
    // This result landed before its ref was moved.
    const now = await coordinator.remote.look('T-3');
    const results = new Map(now.kind === 'delivered' ? [['T-3', now.result] as const] : []);
    expect(await coordinator.remote.prune({ tip, results, tasks: ['T-3'], records: [] })).toBe(1);
  });

  it('count as far as their signature fits them', async () => {
    const clone = await fleet();
    const [coordinator, worker] = [await clone(), await clone()];
    introduce(coordinator, worker);
    const base = await coordinator.id('HEAD');
    const startTree = await coordinator.id('HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"n":1}' });
    await worker.remote.look(TASK);
    // A user who may push puts another tree below the signature, or another document.
    const signature = await worker.git.text(job, 'signature.json');
    const forge = async (document: string, before: string) => {
      const made = await worker.git.makeTree(
        { 'job.json': document, 'signature.json': signature },
        { before },
      );
      return worker.git.makeCommit(made, [base], 'ralph fleet: job\n');
    };
    expect(await worker.remote.job(TASK, await forge('{"n":1}', startTree))).toMatchObject({
      kind: 'signed',
    });
    const wrong = /isn't signed by the key that it names/;
    const forged = [
      await forge('{"n":2}', startTree),
      await forge('{"n":1}', await worker.treeWith('x.txt')),
    ];
    for (const one of forged) await expect(worker.remote.job(TASK, one)).rejects.toThrow(wrong);
    // A job isn't valid for another task.
    await expect(worker.remote.job('T-9', job)).rejects.toThrow(wrong);
  });
}
