/** @module-tag rest */

import { beforeEach, describe, expect, it } from 'vitest';
import { enrol, openSeal } from '../../../src/store/index.ts';
import { openTestGit } from '../../helpers/open-test-git.ts';
import { makeRepository, repositoryAt, runTestGit, temporaryFolder } from '../../helpers/repository.ts';

const TASK = 'AUTH 1/ä';
const document = (record: string) => JSON.stringify({ record });

describe('attempts of a fleet on a remote', () => {
  let bare: string;
  const clone = async () => {
    const folder = temporaryFolder();
    runTestGit(folder, ['clone', '-q', bare, 'clone']);
    const repository = repositoryAt(`${folder}/clone`);
    const git = await openTestGit(repository.root);
    const home = temporaryFolder();
    const seal = openSeal(home);
    return { ...repository, home, seal, port: git, remote: git.fleet('origin', seal) };
  };
  /** Enrols two machines with each other. */
  const introduce = (one: Clone, other: Clone) => {
    enrol(one.home, other.seal.key, 'other');
    enrol(other.home, one.seal.key, 'other');
  };
  type Clone = Awaited<ReturnType<typeof clone>>;
  /** Returns a tree with one more file. */
  const treeWith = (one: ReturnType<typeof repositoryAt>, name: string) => {
    one.write(name, `${name}\n`);
    one.git('add', '-A');
    return one.git('write-tree');
  };
  beforeEach(() => {
    bare = `${temporaryFolder()}/remote.git`;
    const start = makeRepository({ 'a.txt': 'a\n' });
    start.git('clone', '-q', '--bare', '.', bare);
  });

  it('are offered, claimed, delivered and taken', async () => {
    const [coordinator, worker] = [await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = treeWith(coordinator, 'begun.txt');
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'none' });
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"a":1}' });
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'offered', job });
    expect(await worker.remote.job(TASK, job)).toEqual({ kind: 'unknown', key: coordinator.seal.key });
    introduce(coordinator, worker);
    expect(await worker.remote.job(TASK, job)).toEqual({ kind: 'signed', document: '{"a":1}' });
    expect(await worker.remote.begin(job)).toEqual({
      ...{ base, baseTree: coordinator.git('rev-parse', 'HEAD^{tree}'), startTree },
    });
    const claim = await worker.remote.claim(TASK, job, 'one');
    expect(await coordinator.remote.look(TASK)).toEqual({
      kind: 'claimed',
      job,
      claim,
      worker: 'one',
      lost: [],
    });
    const tree = treeWith(worker, 'made.txt');
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
    expect(coordinator.git('cat-file', 'blob', `${tree}:made.txt`)).toBe('made.txt');
  });

  it('are delivered by the newest claim alone', async () => {
    const [coordinator, zombie, other] = [await clone(), await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{}' });
    const first = (await zombie.remote.claim(TASK, job, 'zombie')) ?? '';
    const second = (await other.remote.claim(TASK, job, 'other')) ?? '';
    const late = { taskId: TASK, claim: first, tree: treeWith(zombie, 'z.txt'), document, files: { a: 'z' } };
    expect(await zombie.remote.deliver(late)).toBe(false);
    const good = { taskId: TASK, claim: second, tree: treeWith(other, 'o.txt'), document, files: {} };
    expect(await other.remote.deliver(good)).toBe(true);
    expect(await zombie.remote.deliver(late)).toBe(false);
    // Neither of the two refs of the refused push is there; the record can be kept alone.
    expect(runTestGit(bare, ['for-each-ref', '--format=%(refname)', 'refs/ralph/records'])).not.toContain(
      first,
    );
    await zombie.remote.keepRecord(late);
    expect(runTestGit(bare, ['for-each-ref', '--format=%(refname)', 'refs/ralph/records'])).toContain(first);
    expect(await coordinator.remote.look(TASK)).toMatchObject({ kind: 'delivered', claim: second });
    expect(await zombie.remote.claim(TASK, job, 'zombie')).toBeNull();
  });

  it('are nothing any more once the task is offered anew', async () => {
    const [coordinator, worker] = [await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
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
    const [coordinator, first, second] = [await clone(), await clone(), await clone()];
    introduce(coordinator, first);
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
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
    const [coordinator, worker] = [await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
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
    const [coordinator, worker, other] = [await clone(), await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{}' });
    const claim = (await worker.remote.claim(TASK, job, 'one')) ?? '';
    await worker.remote.deliver({
      taskId: TASK,
      claim,
      tree: treeWith(worker, 'm.txt'),
      document,
      files: {},
    });
    const now = await coordinator.remote.look(TASK);
    if (now.kind !== 'delivered') throw new Error(now.kind);
    const { result } = now;
    coordinator.write('m.txt', 'm.txt\n');
    const landed = coordinator.commitAll('the work');
    // Another coordinator has offered the task anew: this one isn't the one that lands it.
    const anew = await other.remote.offer({ taskId: TASK, base, startTree, document: '{"n":2}' });
    const move = coordinator.remote.landing(TASK, result, landed);
    expect(await coordinator.port.push('main', null, [move])).toMatchObject({ kind: 'failed' });
    expect(runTestGit(bare, ['rev-parse', 'main'])).toBe(base);
    const push = { ...move, from: anew };
    expect(await coordinator.port.push('main', null, [push])).toMatchObject({
      kind: 'pushed',
      commit: landed,
    });
    expect(runTestGit(bare, ['rev-parse', 'main', move.ref])).toBe(`${landed}\n${landed}`);
    expect(await worker.remote.look(TASK)).toEqual({ kind: 'none' });
  });

  it('are deleted once they have landed, with their records where those are old, and none that has not', async () => {
    const [coordinator, worker] = [await clone(), await clone()];
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
    const deliver = async (taskId: string) => {
      const job = await coordinator.remote.offer({ taskId, base, startTree, document: '{}' });
      const claim = (await worker.remote.claim(taskId, job, 'one')) ?? '';
      await worker.remote.deliver({ taskId, claim, tree: treeWith(worker, 'm.txt'), document, files: {} });
      const now = await coordinator.remote.look(taskId);
      return now.kind === 'delivered' ? now.result : '';
    };
    coordinator.write('m.txt', 'm.txt\n');
    const tip = coordinator.commitAll('the work');
    const moves = [];
    for (const task of ['T-1', 'T-2']) moves.push(coordinator.remote.landing(task, await deliver(task), tip));
    await deliver('T-3');
    await coordinator.remote.offer({ taskId: 'T-4', base, startTree, document: '{}' });
    await coordinator.port.push('main', null, moves);
    const refs = () =>
      runTestGit(bare, ['for-each-ref', '--format=%(refname)', 'refs/ralph'])
        .split('\n')
        .map((ref) => ref.split('/').slice(2, 4).join(' '));
    const all = ['T-1', 'T-2', 'T-3', 'T-4'];
    const none = new Map();
    expect(await coordinator.remote.prune({ tip: base, results: none, tasks: all, records: all })).toBe(0);
    expect(await coordinator.remote.prune({ tip, results: none, tasks: all, records: ['T-2', 'T-3'] })).toBe(
      3,
    );
    expect(refs()).toEqual(['records T-1', 'records T-3', 'tasks T-3', 'tasks T-4']);
    // Results whose own ref was removed before count, too.
    expect(await coordinator.remote.prune({ tip, results: none, tasks: ['T-1'], records: ['T-1'] })).toBe(1);
    // This result landed before its ref was moved.
    const now = await coordinator.remote.look('T-3');
    const results = new Map(now.kind === 'delivered' ? [['T-3', now.result] as const] : []);
    expect(await coordinator.remote.prune({ tip, results, tasks: ['T-3'], records: [] })).toBe(1);
  });

  it('count as far as their signature fits them', async () => {
    const [coordinator, worker] = [await clone(), await clone()];
    introduce(coordinator, worker);
    const base = coordinator.git('rev-parse', 'HEAD');
    const startTree = coordinator.git('rev-parse', 'HEAD^{tree}');
    const job = await coordinator.remote.offer({ taskId: TASK, base, startTree, document: '{"n":1}' });
    await worker.remote.look(TASK);
    // A user who may push puts another tree below the signature, or another document.
    const signature = worker.git('rev-parse', `${job}:signature.json`);
    const forge = (document: string, tree: string) => {
      const entries = [`100644 blob ${document}\tjob.json`, `100644 blob ${signature}\tsignature.json`];
      const made = runTestGit(
        worker.root,
        ['mktree'],
        {},
        `${[...entries, `040000 tree ${tree}\tbefore`].join('\n')}\n`,
      );
      return worker.git('commit-tree', made, '-p', base, '-m', 'ralph fleet: job');
    };
    const document = worker.git('rev-parse', `${job}:job.json`);
    const other = runTestGit(worker.root, ['hash-object', '-w', '--stdin'], {}, '{"n":2}');
    expect(await worker.remote.job(TASK, forge(document, startTree))).toMatchObject({ kind: 'signed' });
    const wrong = /isn't signed by the key that it names/;
    await expect(worker.remote.job(TASK, forge(other, startTree))).rejects.toThrow(wrong);
    await expect(worker.remote.job(TASK, forge(document, treeWith(worker, 'x.txt')))).rejects.toThrow(wrong);
    // A job isn't valid for another task.
    await expect(worker.remote.job('T-9', job)).rejects.toThrow(wrong);
  });

  it('give a network up that is silent, after a minute or as you set it', async () => {
    const one = await clone();
    const seen = () => one.read('seen').trim().split('\n').at(-1) ?? '';
    // Settings are those of the moment when the remote is opened.
    const look = async () => (await openTestGit(one.root)).fleet('origin', one.seal).look(TASK);
    const ssh = one.path('ssh');
    one.write(
      'ssh',
      `#!/bin/sh\necho "$GIT_HTTP_LOW_SPEED_TIME $*" >> '${one.path('seen')}'\nexit 1\n`,
      0o755,
    );
    one.git('config', 'core.sshCommand', ssh);
    one.git('remote', 'set-url', 'origin', 'ssh://nowhere.invalid/remote.git');
    await expect(look()).rejects.toThrow();
    expect(seen()).toMatch(/^60 .*ServerAliveInterval=20/);
    one.git('config', 'http.lowSpeedTime', '5');
    await expect(look()).rejects.toThrow();
    expect(seen()).toMatch(/^ .*ServerAliveInterval=20/);
  });
});
