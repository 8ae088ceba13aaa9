import { parseJson } from 'ralph-kit/parse-json';
import * as z from 'zod/mini';
import type { Delivery, FleetRemote, RemoteAttemptState, Seal, Signed } from '../../domain/ports/fleet.ts';
import { GitError, type RefMove } from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import { runGit } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { encoded } from '../line/results.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { isReachable, revision, writeText } from '../objects/questions.ts';
import {
  FETCH_PLAINLY,
  PUSH_PLAINLY,
  remoteCall,
  specsOf,
  together,
  withoutUser,
} from '../repository/remote-call.ts';

/** Subjects identify the commits of a task's ref. */
const SUBJECTS = {
  job: 'ralph fleet: job',
  claim: 'ralph fleet: claim',
  result: 'ralph fleet: result',
} as const;
const [JOB, BEFORE, RESULT, AFTER] = ['job.json', 'before', 'result.json', 'after'];
const [SIGNATURE, FILES] = ['signature.json', 'files'];
/** Number of attempts when another push moves the ref at the same time. */
const TRIES = 5;
/** Limit for one file of a record, in bytes. */
const MOST_READ = 64_000_000;

const TASKS = 'refs/ralph/tasks';
const RECORDS = 'refs/ralph/records';
/** Number of refs deleted by one push. */
const AT_ONCE = 200;
const taskRef = (taskId: string) => `${TASKS}/${encoded(taskId)}`;
const recordRef = (taskId: string, claim: string) => `${RECORDS}/${encoded(taskId)}/${claim}`;

/**
 * A fleet's attempts on a remote. Each task has one ref, `refs/ralph/tasks/TASK`: the job (its parent is the base), a
 * claim on it, the claim's result, then the landed commit. Records have refs of their own,
 * `refs/ralph/records/TASK/CLAIM`.
 */
export function openRemote(tree: WorkTree, name: string, seal: Seal): FleetRemote {
  /** Returns a ref's commit on the remote; `null` without one. */
  const idOf = async (ref: string): Promise<string | null> => {
    const { stdout } = await runGit(await remoteCall(tree), ['ls-remote', '--', name, ref]);
    return /^([0-9a-f]+)\t/.exec(stdout.toString('utf8'))?.[1] ?? null;
  };

  const allBelow = async (...folders: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const patterns = folders.map((folder) => `${folder}/*`);
    const { stdout } = await runGit(await remoteCall(tree), ['ls-remote', '--', name, ...patterns]);
    const lines = stdout.toString('utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => line.split('\t')).map(([id = '', ref = '']) => [ref, id]));
  };

  /** Fetches a ref. `as` protects its objects from git's housekeeping. */
  const fetch = async (ref: string, as: string | null) => {
    const spec = as === null ? ref : `+${ref}:${as}`;
    await runGit(await remoteCall(tree), ['fetch', ...FETCH_PLAINLY, '--', name, spec]);
  };

  /** Moves all refs or none; returns false when one has another value than expected. */
  const push = async (moves: readonly RefMove[]): Promise<boolean> => {
    const args = ['push', '--porcelain', ...PUSH_PLAINLY, ...together(moves), '--', name, ...specsOf(moves)];
    const { code, stdout, stderr } = await runGit(await remoteCall(tree), args, { answers: [1] });
    if (code === 0) return true;
    const refusals = stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    if (refusals.length > 0 && refusals.every((line) => LATE.test(line))) return false;
    throw new GitError(withoutUser(`git push: ${refusals[0]?.split('\t').at(-1) ?? ''} ${stderr}`.trim()));
  };

  const blob = (text: string) => writeText(tree, text);
  const ownCommit = (id: string, parents: readonly string[], message: string) =>
    makeCommit(tree, id, parents, message, { who: 'ralph' });
  const treeOf = (entries: readonly (readonly ['blob' | 'tree', string, string])[]) =>
    objectText(tree, ['mktree'], {
      input: entries
        .map(([type, id, path]) => `${type === 'tree' ? '040000' : '100644'} ${type} ${id}\t${path}\n`)
        .join(''),
    });
  const textAt = async (commit: string, path: string) => {
    const args = ['cat-file', 'blob', `${commit}:${path}`];
    return (await objectGit(tree, args, { maxBytes: MOST_READ })).stdout.toString('utf8');
  };
  const idAt = async (name: string): Promise<string> => {
    const id = await revision(tree, name);
    if (id === null) throw new GitError(`${name} isn't there`);
    return id;
  };

  /** Returns this machine's signature of a document and its context. */
  const signature = async (document: string, about: readonly string[]) => {
    const signed = { key: seal.key, signature: seal.sign(textOf(document, about)) };
    return ['blob', await blob(JSON.stringify(signed)), SIGNATURE] as const;
  };
  /** Reads a signed document; `unknown` when the signer isn't enrolled. */
  const signedAt = async (commit: string, path: string, about: readonly string[]): Promise<Signed> => {
    const document = await textAt(commit, path);
    const text = await textAt(commit, SIGNATURE);
    const data = parseJson(text, Signature);
    if (data === null || !seal.isSigned(textOf(document, about), data.signature, data.key))
      throw new GitError(`${commit} isn't signed by the key that it names`);
    return seal.isEnrolled(data.key) ? { kind: 'signed', document } : { kind: 'unknown', key: data.key };
  };

  /** Reads a commit of a task's ref. A claim's parents are the job and the claim before it. */
  const described = async (commit: string) => {
    const format = '--format=%P%x00%s%x00%b';
    const [parents = '', subject = '', body = ''] = (
      await objectText(tree, ['log', '-1', '--no-walk', format, commit])
    ).split('\0');
    const [parent = '', before = null] = parents.split(' ');
    return { parent, before, subject, body: body.trim() };
  };
  const lostBefore = async (claim: string): Promise<string[]> => {
    const { before } = await described(claim);
    return before === null ? [] : [before, ...(await lostBefore(before))];
  };

  const nowOf = async (commit: string): Promise<RemoteAttemptState> => {
    const { subject, parent, body } = await described(commit);
    if (subject === SUBJECTS.job) return { kind: 'offered', job: commit };
    if (subject === SUBJECTS.claim)
      return {
        kind: 'claimed',
        job: parent,
        claim: commit,
        worker: body,
        lost: await lostBefore(commit),
      };
    if (subject !== SUBJECTS.result) return { kind: 'none' };
    const { parent: job } = await described(parent);
    return { kind: 'delivered', job, claim: parent, result: commit, lost: await lostBefore(parent) };
  };

  const read = async (
    taskId: string,
  ): Promise<{ readonly id: string | null; readonly now: RemoteAttemptState }> => {
    for (let tries = 1; ; tries += 1) {
      const id = await idOf(taskRef(taskId));
      if (id === null) return { id, now: { kind: 'none' } };
      if ((await revision(tree, `${id}^{commit}`)) === null)
        await fetch(taskRef(taskId), `refs/ralph/fleet/${encoded(taskId)}`);
      if ((await revision(tree, `${id}^{commit}`)) !== null) return { id, now: await nowOf(id) };
      // The ref moved between listing and fetching.
      if (tries === TRIES) throw new GitError(`${taskRef(taskId)} can't be fetched from ${name}`);
    }
  };

  const recordOf = async ({ taskId, claim, files, document: documentOf }: Omit<Delivery, 'tree'>) => {
    const document = documentOf('');
    const entries = [];
    for (const [path, text] of Object.entries(files)) entries.push(['blob', await blob(text), path] as const);
    const top = [
      ...(entries.length === 0 ? [] : [['tree', await treeOf(entries), FILES] as const]),
      ['blob', await blob(document), RESULT] as const,
      await signature(document, ['record', taskId, claim]),
    ];
    return ownCommit(await treeOf(top), [], 'ralph fleet: record\n');
  };

  return {
    name,
    repository: async () => {
      const first = await objectText(tree, ['rev-list', '--max-parents=0', 'HEAD']);
      return first.split('\n').at(-1) ?? '';
    },
    probe: async () => {
      const [one, two] = ['one', 'two'].map((name) => `refs/ralph/probe/${process.pid}-${name}`);
      if (one === undefined || two === undefined) return 'not_atomic';
      const to = await ownCommit(await treeOf([]), [], 'ralph fleet: probe\n');
      if (!(await push([{ ref: one, from: null, to }])))
        throw new GitError(`${one} can't be made on ${name}`);
      // The second ref has another value than expected, so an atomic push moves neither.
      const other = await ownCommit(await treeOf([]), [to], 'ralph fleet: probe\n');
      const moves = [
        { ref: one, from: to, to: other },
        { ref: two, from: to, to: other },
      ];
      const isRefused = !(await push(moves)) && (await idOf(one)) === to;
      await runGit(await remoteCall(tree), ['push', '--quiet', '--', name, `:${one}`]);
      return isRefused ? 'ok' : 'not_atomic';
    },
    look: async (taskId) => (await read(taskId)).now,
    lookAll: async (taskIds) => {
      const refs = await allBelow(TASKS);
      const all = new Map<string, RemoteAttemptState>();
      for (const taskId of taskIds) {
        const id = refs.get(taskRef(taskId));
        if (id === undefined) continue;
        // Landed commits were fetched with the branch.
        const isHere = (await revision(tree, `${id}^{commit}`)) !== null;
        all.set(taskId, isHere ? await nowOf(id) : (await read(taskId)).now);
      }
      return all;
    },
    offer: async ({ taskId, base, startTree, document }) => {
      const id = await treeOf([
        ['blob', await blob(document), JOB],
        await signature(document, ['job', taskId, base, startTree]),
        ['tree', startTree, BEFORE],
      ]);
      const job = await ownCommit(id, [base], `${SUBJECTS.job}\n`);
      for (let tries = 1; ; tries += 1) {
        const from = await idOf(taskRef(taskId));
        if (from === job || (await push([{ ref: taskRef(taskId), from, to: job }]))) return job;
        if (tries === TRIES) throw new GitError(`${taskRef(taskId)} can't be moved on ${name}`);
      }
    },
    withdraw: (taskId, from) => push([{ ref: taskRef(taskId), from, to: null }]),
    job: async (taskId, job) => {
      const [base, before] = [await idAt(`${job}^`), await idAt(`${job}:${BEFORE}`)];
      return signedAt(job, JOB, ['job', taskId, base, before]);
    },
    jobText: (job) => textAt(job, JOB),
    begin: async (job) => {
      const base = await idAt(`${job}^`);
      return { base, baseTree: await idAt(`${base}^{tree}`), startTree: await idAt(`${job}:${BEFORE}`) };
    },
    claim: async (taskId, job, worker) => {
      for (let tries = 1; tries <= TRIES; tries += 1) {
        const { id, now } = await read(taskId);
        if ((now.kind !== 'offered' && now.kind !== 'claimed') || now.job !== job) return null;
        const parents = now.kind === 'claimed' ? [job, now.claim] : [job];
        const claim = await ownCommit(
          await idAt(`${job}^{tree}`),
          parents,
          `${SUBJECTS.claim}\n\n${worker}\n`,
        );
        if (await push([{ ref: taskRef(taskId), from: id, to: claim }])) return claim;
      }
      return null;
    },
    giveBack: async (taskId, claim) => {
      const { parent, before } = await described(claim);
      await push([{ ref: taskRef(taskId), from: claim, to: before ?? parent }]);
    },
    deliver: async ({ tree: after, ...delivery }: Delivery) => {
      const { taskId, claim } = delivery;
      const record = await recordOf(delivery);
      const text = delivery.document(record);
      const id = await treeOf([
        ['blob', await blob(text), RESULT],
        await signature(text, ['result', taskId, claim, after]),
        ['tree', after, AFTER],
      ]);
      const result = await ownCommit(id, [claim], `${SUBJECTS.result}\n`);
      const moves = [
        { ref: taskRef(taskId), from: claim, to: result },
        { ref: recordRef(taskId, claim), from: null, to: record },
      ];
      // A push whose answer was lost may have moved the refs.
      return (await push(moves)) || (await idOf(taskRef(taskId))) === result;
    },
    keepRecord: async (kept) => {
      const { taskId, claim } = kept;
      const to = await recordOf(kept);
      await push([{ ref: recordRef(taskId, claim), from: null, to }]);
    },
    take: async (taskId, claim, result) => {
      const after = await idAt(`${result}:${AFTER}`);
      return { tree: after, ...(await signedAt(result, RESULT, ['result', taskId, claim, after])) };
    },
    record: async (taskId, claim, record) => {
      await fetch(recordRef(taskId, claim), null);
      const listed = await objectText(tree, ['ls-tree', '--name-only', '-z', `${record}:${FILES}`]);
      const names = listed.split('\0').filter((one) => one !== '');
      const files: Record<string, string> = {};
      for (const one of names) files[one] = await textAt(record, `${FILES}/${one}`);
      return files;
    },
    lostRecord: async (taskId, claim) => {
      const record = await idOf(recordRef(taskId, claim));
      if (record === null) return null;
      await fetch(recordRef(taskId, claim), null);
      return signedAt(record, RESULT, ['record', taskId, claim]);
    },
    prune: async ({ tip, results, tasks, records }) => {
      const refs = await allBelow(TASKS, RECORDS);
      const hasLanded = async (taskId: string) => {
        const at = refs.get(taskRef(taskId));
        return at === undefined || at === results.get(taskId) || isReachable(tree, at, tip);
      };
      const moves: RefMove[] = [];
      for (const taskId of tasks) {
        if (!(await hasLanded(taskId))) continue;
        const [own, below] = [taskRef(taskId), recordRef(taskId, '')];
        const isOld = records.includes(taskId);
        for (const [ref, from] of refs)
          if (ref === own || (isOld && ref.startsWith(below))) moves.push({ ref, from, to: null });
      }
      let count = 0;
      for (let at = 0; at < moves.length; at += AT_ONCE) {
        const some = moves.slice(at, at + AT_ONCE);
        if (await push(some)) count += some.length;
      }
      return count;
    },
    landing: (taskId, result, landed) => ({ ref: taskRef(taskId), from: result, to: landed }),
  };
}

const Signature = z.object({ key: z.string(), signature: z.string() });

/** Returns the signed text, which is valid for one use only. */
function textOf(document: string, about: readonly string[]): string {
  return JSON.stringify(['ralph-fleet-1', ...about, document]);
}

/** Refusals that mean that a ref has another value or is being moved. */
const LATE =
  /stale info|fetch first|non-fast-forward|already exists|failed to update ref|cannot lock ref|atomic (?:push failed|transaction failed)|reference already exists/;
