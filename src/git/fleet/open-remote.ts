import { parseJson } from 'ralph-kit/parse-json';
import * as z from 'zod/mini';
import type {
  Delivery,
  FleetRemote,
  Offer,
  RecordFiles,
  RemoteAttemptState,
  Seal,
  Signed,
} from '../../domain/ports/fleet.ts';
import { GitError, type RefMove } from '../../domain/ports.ts';
import { objectGit, objectText } from '../call/git.ts';
import { type BytePath, bytePath } from '../call/git-path.ts';
import { runGit } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { encoded } from '../line/results.ts';
import { objectsOf } from '../objects/door.ts';
import { makeCommit } from '../objects/make-commit.ts';
import { editedTree, isReachable, revision, treeOf, writeText } from '../objects/questions.ts';
import { FOLDER, type TreeEntry } from '../objects/tree-entries.ts';
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

type Remote = { readonly tree: WorkTree; readonly name: string; readonly seal: Seal };

/**
 * A fleet's attempts on a remote. Each task has one ref, `refs/ralph/tasks/TASK`: the job (its parent is the base), a
 * claim on it, the claim's result, then the landed commit. Records have refs of their own,
 * `refs/ralph/records/TASK/CLAIM`.
 */
export function openRemote(tree: WorkTree, name: string, seal: Seal): FleetRemote {
  const remote: Remote = { tree, name, seal };
  return {
    name,
    repository: async () => {
      const first = await objectText(tree, ['rev-list', '--max-parents=0', 'HEAD']);
      return first.split('\n').at(-1) ?? '';
    },
    probe: () => probe(remote),
    look: async (taskId) => (await read(remote, taskId)).now,
    lookAll: (taskIds) => lookAll(remote, taskIds),
    offer: (offer) => offerJob(remote, offer),
    withdraw: (taskId, from) => push(remote, [{ ref: taskRef(taskId), from, to: null }]),
    job: async (taskId, job) => {
      const [base, before] = [await idAt(tree, `${job}^`), await idAt(tree, `${job}:${BEFORE}`)];
      return signedAt(remote, job, JOB, ['job', taskId, base, before]);
    },
    jobText: (job) => textAt(tree, job, JOB),
    begin: async (job) => {
      const base = await idAt(tree, `${job}^`);
      return { base, baseTree: await treeOf(tree, base), startTree: await idAt(tree, `${job}:${BEFORE}`) };
    },
    claim: (taskId, job, worker) => claimJob(remote, taskId, job, worker),
    giveBack: async (taskId, claim) => {
      const { parents } = await described(tree, claim);
      const [job = '', before = job] = parents;
      await push(remote, [{ ref: taskRef(taskId), from: claim, to: before }]);
    },
    deliver: (delivery) => deliver(remote, delivery),
    keepRecord: async (kept) => {
      const to = await recordOf(remote, kept);
      await push(remote, [{ ref: recordRef(kept.taskId, kept.claim), from: null, to }]);
    },
    take: async (taskId, claim, result) => {
      const after = await idAt(tree, `${result}:${AFTER}`);
      return { tree: after, ...(await signedAt(remote, result, RESULT, ['result', taskId, claim, after])) };
    },
    record: async (taskId, claim, record) => {
      await fetch(remote, recordRef(taskId, claim), null);
      return filesOf(tree, record);
    },
    lostRecord: async (taskId, claim) => {
      const ref = recordRef(taskId, claim);
      const record = await idOf(remote, ref);
      if (record === null) return null;
      await fetch(remote, ref, null);
      return signedAt(remote, record, RESULT, ['record', taskId, claim]);
    },
    prune: async (gone) => {
      const refs = await listed(remote, [`${TASKS}/*`, `${RECORDS}/*`]);
      const landed = new Set<string>();
      for (const taskId of gone.tasks) {
        const at = refs.get(taskRef(taskId));
        const isKnown = at === undefined || at === gone.results.get(taskId);
        if (isKnown || (await isReachable(tree, at, gone.tip))) landed.add(taskId);
      }
      const moves = deletionsOf(refs, landed, gone.records);
      let count = 0;
      for (let at = 0; at < moves.length; at += AT_ONCE) {
        const some = moves.slice(at, at + AT_ONCE);
        if (await push(remote, some)) count += some.length;
      }
      return count;
    },
    landing: (taskId, result, landed) => ({ ref: taskRef(taskId), from: result, to: landed }),
  };
}

/** Returns the refs of the remote that match, with their commits. */
async function listed(
  { tree, name }: Remote,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await runGit(await remoteCall(tree), ['ls-remote', '--', name, ...patterns]);
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\t')).map(([id = '', ref = '']) => [ref, id]));
}

/** Returns a ref's commit on the remote; `null` without one. */
async function idOf(remote: Remote, ref: string): Promise<string | null> {
  return (await listed(remote, [ref])).get(ref) ?? null;
}

/** Fetches a ref. `as` protects its objects from git's housekeeping. */
async function fetch({ tree, name }: Remote, ref: string, as: string | null): Promise<void> {
  const spec = as === null ? ref : `+${ref}:${as}`;
  await runGit(await remoteCall(tree), ['fetch', ...FETCH_PLAINLY, '--', name, spec]);
}

/** Moves all refs or none; returns false when one has another value than expected. */
async function push({ tree, name }: Remote, moves: readonly RefMove[]): Promise<boolean> {
  const args = ['push', '--porcelain', ...PUSH_PLAINLY, ...together(moves), '--', name, ...specsOf(moves)];
  const { code, stdout, stderr } = await runGit(await remoteCall(tree), args, { answers: [1] });
  if (code === 0) return true;
  const refusals = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  if (refusals.length > 0 && refusals.every((line) => LATE.test(line))) return false;
  throw new GitError(withoutUser(`git push: ${refusals[0]?.split('\t').at(-1) ?? ''} ${stderr}`.trim()));
}

async function probe(remote: Remote): Promise<'ok' | 'not_atomic'> {
  const { tree, name } = remote;
  const [one, two] = [`refs/ralph/probe/${process.pid}-one`, `refs/ralph/probe/${process.pid}-two`];
  const to = await commitOf(tree, {}, [], 'ralph fleet: probe\n');
  if (!(await push(remote, [{ ref: one, from: null, to }])))
    throw new GitError(`${one} can't be made on ${name}`);
  // The second ref has another value than expected, so an atomic push moves neither.
  const other = await commitOf(tree, {}, [to], 'ralph fleet: probe\n');
  const moves = [one, two].map((ref) => ({ ref, from: to, to: other }));
  const isRefused = !(await push(remote, moves)) && (await idOf(remote, one)) === to;
  await runGit(await remoteCall(tree), ['push', '--quiet', '--', name, `:${one}`]);
  return isRefused ? 'ok' : 'not_atomic';
}

async function lookAll(
  remote: Remote,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, RemoteAttemptState>> {
  const refs = await listed(remote, [`${TASKS}/*`]);
  const all = new Map<string, RemoteAttemptState>();
  for (const taskId of taskIds) {
    const id = refs.get(taskRef(taskId));
    if (id === undefined) continue;
    // Landed commits were fetched with the branch.
    all.set(taskId, (await isHere(remote, id)) ? await nowOf(remote, id) : (await read(remote, taskId)).now);
  }
  return all;
}

type Read = { readonly id: string | null; readonly now: RemoteAttemptState };

async function read(remote: Remote, taskId: string): Promise<Read> {
  const ref = taskRef(taskId);
  for (let tries = 1; ; tries += 1) {
    const id = await idOf(remote, ref);
    if (id === null) return { id, now: { kind: 'none' } };
    if (!(await isHere(remote, id))) await fetch(remote, ref, `refs/ralph/fleet/${encoded(taskId)}`);
    if (await isHere(remote, id)) return { id, now: await nowOf(remote, id) };
    // The ref moved between listing and fetching.
    if (tries === TRIES) throw new GitError(`${ref} can't be fetched from ${remote.name}`);
  }
}

async function isHere({ tree }: Remote, id: string): Promise<boolean> {
  return (await revision(tree, `${id}^{commit}`)) !== null;
}

/** A commit of a task's ref. A claim's parents are the job and the claim before it. */
export type Described = {
  readonly parents: readonly string[];
  readonly subject: string;
  readonly body: string;
};

async function described(tree: WorkTree, id: string): Promise<Described> {
  const commit = await (await objectsOf(tree)).commit(id);
  const [subject = '', ...rest] = (commit?.message ?? '').split('\n');
  return { parents: commit?.parents ?? [], subject, body: rest.join('\n').trim() };
}

async function nowOf({ tree }: Remote, id: string): Promise<RemoteAttemptState> {
  const at = await described(tree, id);
  const [claim = id] = at.subject === SUBJECTS.result ? at.parents : [];
  const chain: Described[] = [];
  const isClaim = at.subject === SUBJECTS.claim || at.subject === SUBJECTS.result;
  for (let next: string | undefined = isClaim ? claim : undefined; next !== undefined; ) {
    const one: Described = await described(tree, next);
    chain.push(one);
    next = one.parents[1];
  }
  return stateOf(id, at, chain);
}

/** Returns the state that a commit of a task's ref stands for. @param claims Its claim, then the claims before it. */
export function stateOf(
  id: string,
  { subject, parents }: Described,
  claims: readonly Described[],
): RemoteAttemptState {
  if (subject === SUBJECTS.job) return { kind: 'offered', job: id };
  const [last] = claims;
  if (last === undefined) return { kind: 'none' };
  const { body: worker } = last;
  const [job = ''] = last.parents;
  const lost = claims.flatMap((claim) => claim.parents[1] ?? []);
  if (subject === SUBJECTS.claim) return { kind: 'claimed', job, claim: id, worker, lost };
  return { kind: 'delivered', job, claim: parents[0] ?? '', result: id, lost };
}

async function offerJob(remote: Remote, { taskId, base, startTree, document }: Offer): Promise<string> {
  const { tree, name, seal } = remote;
  const ref = taskRef(taskId);
  const texts = { [JOB]: document, [SIGNATURE]: signature(seal, document, ['job', taskId, base, startTree]) };
  const job = await commitOf(tree, texts, [base], `${SUBJECTS.job}\n`, { [BEFORE]: startTree });
  for (let tries = 1; ; tries += 1) {
    const from = await idOf(remote, ref);
    if (from === job || (await push(remote, [{ ref, from, to: job }]))) return job;
    if (tries === TRIES) throw new GitError(`${ref} can't be moved on ${name}`);
  }
}

async function claimJob(remote: Remote, taskId: string, job: string, worker: string): Promise<string | null> {
  const { tree } = remote;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { id, now } = await read(remote, taskId);
    if ((now.kind !== 'offered' && now.kind !== 'claimed') || now.job !== job) return null;
    const parents = now.kind === 'claimed' ? [job, now.claim] : [job];
    const message = `${SUBJECTS.claim}\n\n${worker}\n`;
    const claim = await makeCommit(tree, await treeOf(tree, job), parents, message, { who: 'ralph' });
    if (await push(remote, [{ ref: taskRef(taskId), from: id, to: claim }])) return claim;
  }
  return null;
}

async function deliver(remote: Remote, { tree: after, ...delivery }: Delivery): Promise<boolean> {
  const { taskId, claim } = delivery;
  const record = await recordOf(remote, delivery);
  const text = delivery.document(record);
  const signed = signature(remote.seal, text, ['result', taskId, claim, after]);
  const texts = { [RESULT]: text, [SIGNATURE]: signed };
  const result = await commitOf(remote.tree, texts, [claim], `${SUBJECTS.result}\n`, { [AFTER]: after });
  const ref = taskRef(taskId);
  const moves = [
    { ref, from: claim, to: result },
    { ref: recordRef(taskId, claim), from: null, to: record },
  ];
  // A push whose answer was lost may have moved the refs.
  return (await push(remote, moves)) || (await idOf(remote, ref)) === result;
}

function recordOf(
  { tree, seal }: Remote,
  { taskId, claim, files, document: documentOf }: Omit<Delivery, 'tree'>,
): Promise<string> {
  const document = documentOf('');
  const own = Object.entries(files).map(([path, text]) => [`${FILES}/${path}`, text]);
  const signed = signature(seal, document, ['record', taskId, claim]);
  const texts = { ...Object.fromEntries(own), [RESULT]: document, [SIGNATURE]: signed };
  return commitOf(tree, texts, [], 'ralph fleet: record\n');
}

async function filesOf(tree: WorkTree, record: string): Promise<RecordFiles> {
  const names = await objectText(tree, ['ls-tree', '--name-only', '-z', `${record}:${FILES}`]);
  const files: Record<string, string> = {};
  for (const one of names.split('\0').filter(Boolean))
    files[one] = await textAt(tree, record, `${FILES}/${one}`);
  return files;
}

/** Makes a commit of ralph's with these texts and folders, and returns its id. */
async function commitOf(
  tree: WorkTree,
  texts: RecordFiles,
  parents: readonly string[],
  message: string,
  folders: Readonly<Record<string, string>> = {},
): Promise<string> {
  const edits = new Map<BytePath, TreeEntry>();
  for (const [path, text] of Object.entries(texts))
    edits.set(bytePath(Buffer.from(path)), { mode: '100644', oid: await writeText(tree, text) });
  for (const [path, oid] of Object.entries(folders)) edits.set(path as BytePath, { mode: FOLDER, oid });
  return makeCommit(tree, await editedTree(tree, null, edits), parents, message, { who: 'ralph' });
}

async function textAt(tree: WorkTree, commit: string, path: string): Promise<string> {
  const args = ['cat-file', 'blob', `${commit}:${path}`];
  return (await objectGit(tree, args, { maxBytes: MOST_READ })).stdout.toString('utf8');
}

async function idAt(tree: WorkTree, name: string): Promise<string> {
  const id = await revision(tree, name);
  if (id === null) throw new GitError(`${name} isn't there`);
  return id;
}

const Signature = z.object({ key: z.string(), signature: z.string() });

/** Returns this machine's signature of a document and its context. */
function signature({ key, sign }: Seal, document: string, about: readonly string[]): string {
  return JSON.stringify({ key, signature: sign(signedText(document, about)) });
}

/** Reads a signed document; `unknown` when the signer isn't enrolled. */
async function signedAt(
  { tree, seal }: Remote,
  commit: string,
  path: string,
  about: readonly string[],
): Promise<Signed> {
  const document = await textAt(tree, commit, path);
  const data = parseJson(await textAt(tree, commit, SIGNATURE), Signature);
  if (data === null || !seal.isSigned(signedText(document, about), data.signature, data.key))
    throw new GitError(`${commit} isn't signed by the key that it names`);
  return seal.isEnrolled(data.key) ? { kind: 'signed', document } : { kind: 'unknown', key: data.key };
}

/** Returns the signed text, which is valid for one use only. */
function signedText(document: string, about: readonly string[]): string {
  return JSON.stringify(['ralph-fleet-1', ...about, document]);
}

/** Returns the deletions of landed tasks' refs. @param old Tasks whose records go, too. */
export function deletionsOf(
  refs: ReadonlyMap<string, string>,
  landed: ReadonlySet<string>,
  old: readonly string[],
): RefMove[] {
  return [...landed].flatMap((taskId) => {
    const [own, below] = [taskRef(taskId), recordRef(taskId, '')];
    const isOld = old.includes(taskId);
    return [...refs].flatMap(([ref, from]) =>
      ref === own || (isOld && ref.startsWith(below)) ? [{ ref, from, to: null }] : [],
    );
  });
}

/** Refusals that mean that a ref has another value or is being moved. */
const LATE =
  /stale info|fetch first|non-fast-forward|already exists|failed to update ref|cannot lock ref|atomic (?:push failed|transaction failed)|reference already exists/;
