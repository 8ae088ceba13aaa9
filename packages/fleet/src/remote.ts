import { GitError, type RefMove } from 'ralph-kit/git';
import { parseJson } from 'ralph-kit/parse-json';
import * as z from 'zod/mini';
import type {
  Delivery,
  FleetGit,
  FleetRemote,
  Offer,
  RecordFiles,
  RemoteAttemptState,
  Seal,
  Signed,
} from './protocol.ts';

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

const TASKS = 'refs/ralph/tasks';
const RECORDS = 'refs/ralph/records';
/** Number of refs deleted by one push. */
const AT_ONCE = 200;

type Remote = { readonly git: FleetGit; readonly seal: Seal };
type RefName = FleetGit['refName'];

const taskRef = (refName: RefName, taskId: string) => `${TASKS}/${refName(taskId)}`;
const recordRef = (refName: RefName, taskId: string, claim: string) =>
  `${RECORDS}/${refName(taskId)}/${claim}`;

/**
 * A fleet's attempts on a remote. Each task has one ref, `refs/ralph/tasks/TASK`: the job (its parent is the base), a
 * claim on it, the claim's result, then the landed commit. Records have refs of their own,
 * `refs/ralph/records/TASK/CLAIM`.
 */
export function openRemote(git: FleetGit, seal: Seal): FleetRemote {
  const remote: Remote = { git, seal };
  const refOf = (taskId: string) => taskRef(git.refName, taskId);
  const recordOf = (taskId: string, claim: string) => recordRef(git.refName, taskId, claim);
  return {
    name: git.remote,
    repository: git.firstCommit,
    probe: () => probe(git),
    look: async (taskId) => (await read(git, taskId)).now,
    lookAll: (taskIds) => lookAll(git, taskIds),
    offer: (offer) => offerJob(remote, offer),
    withdraw: (taskId, from) => git.push([{ ref: refOf(taskId), from, to: null }]),
    job: async (taskId, job) => {
      const [base, before] = [await idAt(git, `${job}^`), await idAt(git, `${job}:${BEFORE}`)];
      return signedAt(remote, job, JOB, ['job', taskId, base, before]);
    },
    jobText: (job) => git.text(job, JOB),
    begin: async (job) => {
      const base = await idAt(git, `${job}^`);
      const baseTree = await idAt(git, `${base}^{tree}`);
      return { base, baseTree, startTree: await idAt(git, `${job}:${BEFORE}`) };
    },
    claim: (taskId, job, worker) => claimJob(git, taskId, job, worker),
    giveBack: async (taskId, claim) => {
      const { parents } = await git.commit(claim);
      const [job = '', before = job] = parents;
      await git.push([{ ref: refOf(taskId), from: claim, to: before }]);
    },
    deliver: (delivery) => deliver(remote, delivery),
    keepRecord: async (kept) => {
      const to = await makeRecord(remote, kept);
      await git.push([{ ref: recordOf(kept.taskId, kept.claim), from: null, to }]);
    },
    take: async (taskId, claim, result) => {
      const after = await idAt(git, `${result}:${AFTER}`);
      return { tree: after, ...(await signedAt(remote, result, RESULT, ['result', taskId, claim, after])) };
    },
    record: async (taskId, claim, record) => {
      await git.fetch(recordOf(taskId, claim), null);
      const names = await git.names(record, FILES);
      const files: Record<string, string> = {};
      for (const one of names) files[one] = await git.text(record, `${FILES}/${one}`);
      return files;
    },
    lostRecord: async (taskId, claim) => {
      const ref = recordOf(taskId, claim);
      const record = await idOf(git, ref);
      if (record === null) return null;
      await git.fetch(ref, null);
      return signedAt(remote, record, RESULT, ['record', taskId, claim]);
    },
    prune: async (gone) => {
      const refs = await git.listed([`${TASKS}/*`, `${RECORDS}/*`]);
      const landed = new Set<string>();
      for (const taskId of gone.tasks) {
        const at = refs.get(refOf(taskId));
        const isKnown = at === undefined || at === gone.results.get(taskId);
        if (isKnown || (await git.isReachable(at, gone.tip))) landed.add(taskId);
      }
      const moves = deletionsOf(git.refName, refs, landed, gone.records);
      let count = 0;
      for (let at = 0; at < moves.length; at += AT_ONCE) {
        const some = moves.slice(at, at + AT_ONCE);
        if (await git.push(some)) count += some.length;
      }
      return count;
    },
    landing: (taskId, result, landed) => ({ ref: refOf(taskId), from: result, to: landed }),
  };
}

/** Returns a ref's commit on the remote; `null` without one. */
async function idOf(git: FleetGit, ref: string): Promise<string | null> {
  return (await git.listed([ref])).get(ref) ?? null;
}

async function probe(git: FleetGit): Promise<'ok' | 'not_atomic'> {
  const [one, two] = [`refs/ralph/probe/${process.pid}-one`, `refs/ralph/probe/${process.pid}-two`];
  const to = await makeCommit(git, {}, [], 'ralph fleet: probe\n');
  if (!(await git.push([{ ref: one, from: null, to }])))
    throw new GitError(`${one} can't be made on ${git.remote}`);
  // The second ref has another value than expected, so an atomic push moves neither.
  const other = await makeCommit(git, {}, [to], 'ralph fleet: probe\n');
  const isMoved = await git.push([one, two].map((ref) => ({ ref, from: to, to: other })));
  const from = await idOf(git, one);
  await git.push([{ ref: one, from, to: null }]);
  return !isMoved && from === to ? 'ok' : 'not_atomic';
}

async function lookAll(
  git: FleetGit,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, RemoteAttemptState>> {
  const refs = await git.listed([`${TASKS}/*`]);
  const all = new Map<string, RemoteAttemptState>();
  for (const taskId of taskIds) {
    const id = refs.get(taskRef(git.refName, taskId));
    if (id === undefined) continue;
    // Landed commits were fetched with the branch.
    all.set(taskId, (await isHere(git, id)) ? await nowOf(git, id) : (await read(git, taskId)).now);
  }
  return all;
}

type Read = { readonly id: string | null; readonly now: RemoteAttemptState };

async function read(git: FleetGit, taskId: string): Promise<Read> {
  const ref = taskRef(git.refName, taskId);
  for (let tries = 1; ; tries += 1) {
    const id = await idOf(git, ref);
    if (id === null) return { id, now: { kind: 'none' } };
    if (!(await isHere(git, id))) await git.fetch(ref, `refs/ralph/fleet/${git.refName(taskId)}`);
    if (await isHere(git, id)) return { id, now: await nowOf(git, id) };
    // The ref moved between listing and fetching.
    if (tries === TRIES) throw new GitError(`${ref} can't be fetched from ${git.remote}`);
  }
}

async function isHere(git: FleetGit, id: string): Promise<boolean> {
  return (await git.find(`${id}^{commit}`)) !== null;
}

/** A commit of a task's ref. A claim's parents are the job and the claim before it. */
export type Described = {
  readonly parents: readonly string[];
  readonly subject: string;
  readonly body: string;
};

async function described(git: FleetGit, id: string): Promise<Described> {
  const { parents, message } = await git.commit(id);
  const [subject = '', ...rest] = message.split('\n');
  return { parents, subject, body: rest.join('\n').trim() };
}

async function nowOf(git: FleetGit, id: string): Promise<RemoteAttemptState> {
  const at = await described(git, id);
  const [claim = id] = at.subject === SUBJECTS.result ? at.parents : [];
  const chain: Described[] = [];
  const isClaim = at.subject === SUBJECTS.claim || at.subject === SUBJECTS.result;
  for (let next: string | undefined = isClaim ? claim : undefined; next !== undefined; ) {
    const one: Described = await described(git, next);
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

async function offerJob(
  { git, seal }: Remote,
  { taskId, base, startTree, document }: Offer,
): Promise<string> {
  const ref = taskRef(git.refName, taskId);
  const texts = { [JOB]: document, [SIGNATURE]: signature(seal, document, ['job', taskId, base, startTree]) };
  const job = await makeCommit(git, texts, [base], `${SUBJECTS.job}\n`, { [BEFORE]: startTree });
  for (let tries = 1; ; tries += 1) {
    const from = await idOf(git, ref);
    if (from === job || (await git.push([{ ref, from, to: job }]))) return job;
    if (tries === TRIES) throw new GitError(`${ref} can't be moved on ${git.remote}`);
  }
}

async function claimJob(git: FleetGit, taskId: string, job: string, worker: string): Promise<string | null> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { id, now } = await read(git, taskId);
    if ((now.kind !== 'offered' && now.kind !== 'claimed') || now.job !== job) return null;
    const parents = now.kind === 'claimed' ? [job, now.claim] : [job];
    const tree = await idAt(git, `${job}^{tree}`);
    const claim = await git.makeCommit(tree, parents, `${SUBJECTS.claim}\n\n${worker}\n`);
    if (await git.push([{ ref: taskRef(git.refName, taskId), from: id, to: claim }])) return claim;
  }
  return null;
}

async function deliver(remote: Remote, { tree: after, ...delivery }: Delivery): Promise<boolean> {
  const { git, seal } = remote;
  const { taskId, claim } = delivery;
  const record = await makeRecord(remote, delivery);
  const text = delivery.document(record);
  const texts = { [RESULT]: text, [SIGNATURE]: signature(seal, text, ['result', taskId, claim, after]) };
  const result = await makeCommit(git, texts, [claim], `${SUBJECTS.result}\n`, { [AFTER]: after });
  const ref = taskRef(git.refName, taskId);
  const moves = [
    { ref, from: claim, to: result },
    { ref: recordRef(git.refName, taskId, claim), from: null, to: record },
  ];
  // A push whose answer was lost may have moved the refs.
  return (await git.push(moves)) || (await idOf(git, ref)) === result;
}

function makeRecord(
  { git, seal }: Remote,
  { taskId, claim, files, document: documentOf }: Omit<Delivery, 'tree'>,
): Promise<string> {
  const document = documentOf('');
  const own = Object.entries(files).map(([path, text]) => [`${FILES}/${path}`, text]);
  const signed = signature(seal, document, ['record', taskId, claim]);
  const texts = { ...Object.fromEntries(own), [RESULT]: document, [SIGNATURE]: signed };
  return makeCommit(git, texts, [], 'ralph fleet: record\n');
}

/** Makes a commit of these texts and trees, and returns its id. */
async function makeCommit(
  git: FleetGit,
  texts: RecordFiles,
  parents: readonly string[],
  message: string,
  trees: Readonly<Record<string, string>> = {},
): Promise<string> {
  return git.makeCommit(await git.makeTree(texts, trees), parents, message);
}

async function idAt(git: FleetGit, name: string): Promise<string> {
  const id = await git.find(name);
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
  { git, seal }: Remote,
  commit: string,
  path: string,
  about: readonly string[],
): Promise<Signed> {
  const document = await git.text(commit, path);
  const data = parseJson(await git.text(commit, SIGNATURE), Signature);
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
  refName: RefName,
  refs: ReadonlyMap<string, string>,
  landed: ReadonlySet<string>,
  old: readonly string[],
): RefMove[] {
  return [...landed].flatMap((taskId) => {
    const [own, below] = [taskRef(refName, taskId), recordRef(refName, taskId, '')];
    const isOld = old.includes(taskId);
    return [...refs].flatMap(([ref, from]) =>
      ref === own || (isOld && ref.startsWith(below)) ? [{ ref, from, to: null }] : [],
    );
  });
}
