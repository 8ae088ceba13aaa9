import { createHash } from 'node:crypto';
import type { FleetGit } from 'ralph-fleet/jobs';
import { GitError } from 'ralph-kit/git';
import type { RemoteClone } from './remote-suite.ts';

type Stored =
  | { readonly kind: 'tree'; readonly files: Record<string, string>; readonly trees: Record<string, string> }
  | {
      readonly kind: 'commit';
      readonly tree: string;
      readonly parents: readonly string[];
      readonly message: string;
    };

type Objects = Map<string, Stored>;

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function store(objects: Objects, one: Stored): string {
  const id = hash(JSON.stringify(one));
  objects.set(id, one);
  return id;
}

/** Copies an object with all that it names. */
function carry(id: string, from: Objects, to: Objects): void {
  const one = from.get(id);
  if (one === undefined || to.has(id)) return;
  to.set(id, one);
  const named = one.kind === 'tree' ? Object.values(one.trees) : [one.tree, ...one.parents];
  for (const next of named) carry(next, from, to);
}

/** Makes a remote with one commit, and returns a function that clones it. All is in memory. */
export function openMemoryRemote(): () => Promise<RemoteClone> {
  const objects: Objects = new Map();
  const root = store(objects, { kind: 'tree', files: { 'a.txt': 'a' }, trees: {} });
  const head = store(objects, { kind: 'commit', tree: root, parents: [], message: 'first\n' });
  const refs = new Map([['refs/heads/main', head]]);
  let clones = 0;
  return async () => {
    clones += 1;
    const key = String(clones);
    const trusted = new Set<string>();
    const sign = (by: string, text: string) => hash(`${by} ${text}`);
    return {
      git: gitOf(objects, refs, head),
      seal: {
        key,
        sign: (text) => sign(key, text),
        isEnrolled: (other) => trusted.has(other),
        isSigned: (text, signature, by) => signature === sign(by, text),
      },
      trust: (other) => void trusted.add(other),
    };
  };
}

function gitOf(there: Objects, refs: Map<string, string>, head: string): FleetGit {
  const here: Objects = new Map();
  carry(head, there, here);
  const commitAt = (id: string) => {
    const one = here.get(id);
    if (one?.kind !== 'commit') throw new GitError(`${id} isn't a commit here`);
    return one;
  };
  const treeAt = (id: string) => {
    const one = here.get(id);
    const tree = one?.kind === 'commit' ? here.get(one.tree) : one;
    if (tree?.kind !== 'tree') throw new GitError(`${id} has no tree here`);
    return tree;
  };
  const isReachable = (commit: string, from: string): boolean => {
    const one = here.get(from);
    return commit === from || (one?.kind === 'commit' && one.parents.some((id) => isReachable(commit, id)));
  };
  return {
    remote: 'memory',
    refName: encodeURIComponent,
    firstCommit: async () => head,
    listed: async (patterns) => {
      const isAsked = (ref: string) =>
        patterns.some((one) => (one.endsWith('*') ? ref.startsWith(one.slice(0, -1)) : ref === one));
      return new Map([...refs].filter(([ref]) => isAsked(ref)));
    },
    fetch: async (ref) => {
      const id = refs.get(ref);
      if (id === undefined) throw new GitError(`${ref} isn't on the remote`);
      carry(id, there, here);
    },
    push: async (moves) => {
      if (moves.some(({ ref, from }) => (refs.get(ref) ?? null) !== from)) return false;
      for (const { ref, to } of moves) {
        if (to === null) refs.delete(ref);
        else {
          carry(to, here, there);
          refs.set(ref, to);
        }
      }
      return true;
    },
    find: async (name) => {
      const [, base = '', step = '', path = ''] =
        /^(\w+)(\^\{commit\}|\^\{tree\}|\^|:)?(.*)$/.exec(name) ?? [];
      const id = base === 'HEAD' ? head : base;
      if (!here.has(id)) return null;
      if (step === '^{tree}') return commitAt(id).tree;
      if (step === '^') return commitAt(id).parents[0] ?? null;
      return step === ':' ? (treeAt(id).trees[path] ?? null) : id;
    },
    commit: async (id) => commitAt(id),
    text: async (commit, path) => {
      const text = treeAt(commit).files[path];
      if (text === undefined) throw new GitError(`${commit}:${path} isn't there`);
      return text;
    },
    names: async (commit, folder) =>
      Object.keys(treeAt(commit).files).flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
      ),
    makeTree: async (files, trees) => store(here, { kind: 'tree', files, trees }),
    makeCommit: async (tree, parents, message) => store(here, { kind: 'commit', tree, parents, message }),
    isReachable: async (commit, from) => here.has(commit) && isReachable(commit, from),
  };
}
