import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BOX_SUBMODULES, type MountedCopy } from 'ralph-box/protocol';
import { plainText } from 'ralph-kit/files/plain-file';
import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import { shellQuote } from 'ralph-kit/shell-quote';
import { tryOr } from 'ralph-kit/try-or';
import type { Pointer } from '../../domain/change-set.ts';
import type { SentCommit } from '../../domain/ports.ts';
import { indexGit, objectGit } from '../call/git.ts';
import { type BytePath, isWithin, nulList, pathBytes, printPath } from '../call/git-path.ts';
import { gitOr } from '../call/run-git.ts';
import { absolute, gitFileTarget, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { parseIndexEntries } from '../objects/index-file.ts';
import { treeOf } from '../objects/questions.ts';
import { GITLINK } from '../objects/tree-entries.ts';
import {
  differingPaths,
  forceRemove,
  otherPaths,
  readEntries,
  setEntries,
  writeTree,
} from '../read/index-content.ts';
import type { Link, Submodules } from '../read/nested.ts';
import { readRefs } from '../repository/refs.ts';
import {
  bundleCommit,
  hasCommit,
  keepCommit,
  moduleFolders,
  modulesText,
  modulesTextIn,
  packOf,
  type Registered,
  registeredIn,
  resolvedUrl,
  uncommitted,
  usersModule,
  withSubmodules,
} from '../submodules/objects.ts';
import { baseUrl, changedFiles, type Filled, indexOf, submodulePointers } from './fill-submodules.ts';
import { type Probe, whyNotHad } from './reachable.ts';

type SubmoduleState = Pick<Seen, 'head' | 'url' | 'isClean' | 'isKept'>;

type Seen = {
  /** Git folder, relative to the copy's git folder. */
  readonly module: string;
  readonly head: string;
  readonly url: string;
  readonly isClean: boolean;
  /** Whether its objects were read completely. */
  readonly isKept: boolean;
  /** Commit that represents the submodule with uncommitted changes, and the commit before it. */
  readonly id: string;
  readonly recorded: string | null;
};

export type CopiedSubmodules = Submodules & {
  /** Returns the pointers of links, with problems that keep them from landing. */
  readonly pointers: (
    links: readonly (Link & { readonly before: string | null })[],
    keep: { readonly probe: Probe; readonly folder: string },
  ) => Promise<Pointer[]>;
  readonly sent: (links: readonly Link[]) => Promise<SentCommit[]>;
  /** Returns the current submodules, for a git folder that no agent wrote. */
  readonly now: () => readonly Filled[];
  /** Moves a git folder inside a submodule's files to git's place for submodules. */
  readonly absorb: (path: BytePath) => void;
};

/**
 * Opens the submodules of a copy. The agent controls their git folders, so the commit is read as data and objects
 * only where their id confirms the content. Uncommitted changes get a commit, so that they have a name; it doesn't
 * land.
 * @param base Returns the tree that the copy is based on.
 */
export function copiedSubmodules(
  repository: WorkTree,
  { files, folder, git }: MountedCopy,
  base: () => string,
): CopiedSubmodules {
  const submodules = new Map<BytePath, Seen>();
  const copy: WorkTree = { ...repository, top: files };
  const agentGit = git?.folder ?? join(files, '.git');
  const at = (path: BytePath) => absolute(copy, path).toString('utf8');

  /** Returns the git folder that git in the copy would use; `null` without one, or when it isn't inside the copy. */
  const gitFolderOf = (path: BytePath): string | null => {
    const dotGit = join(at(path), '.git');
    if (tryLstat(dotGit)?.isDirectory() === true) return dotGit;
    const root = git === null ? files : repository.top;
    const led = gitFileTarget(at(path), join(root, printPath(path)));
    if (led === null) return null;
    const modules = join(root, '.git', 'modules');
    if (led === modules || !isAtOrBelow(led, modules)) return null;
    const own = join(agentGit, 'modules', relative(modules, led));
    return tryOr(null, () =>
      realpathSync(own) === join(realpathSync(agentGit), relative(agentGit, own)) ? own : null,
    );
  };

  const registeredAt = (around: string) =>
    registeredIn(repository, modulesTextIn(around === '' ? files : at(around as BytePath)));

  /** Returns the tree of a submodule's files, using an index at one of its commits. */
  const contentOf = async (path: BytePath, head: string): Promise<string> => {
    const index = indexOf(folder, path);
    mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
    rmSync(`${index}.lock`, { force: true });
    const tree = { ...withSubmodules(repository), top: at(path) };
    const inner = indexGit({ kind: 'private-index', tree, index });
    await inner(['read-tree', '--reset', head]);
    await inner(['update-index', '-q', '--refresh'], undefined, [1]);
    for (const link of (await readEntries(inner)).filter(({ mode }) => mode === GITLINK)) {
      const now = await identifyIn(path, link.path, link.oid);
      if (now !== link.oid)
        await setEntries(inner, [
          { mode: now === null ? '0' : GITLINK, oid: now ?? link.oid, path: link.path },
        ]);
    }
    const differing = await differingPaths(inner);
    const changed = [...differing, ...(await otherPaths(inner))];
    const isFile = (one: BytePath) => {
      const found = tryLstat(absolute(tree, one));
      return found?.isFile() === true || found?.isSymbolicLink() === true;
    };
    const gone = differing.filter((one) => !isFile(one));
    await forceRemove(inner, gone);
    const there = changed.filter(isFile);
    if (there.length > 0) await inner(['update-index', '--add', '-z', '--stdin'], nulList(there));
    return writeTree(inner);
  };

  /** Whether git in the copy has no pointer where the base has one. */
  const isGivenUp = async (path: BytePath): Promise<boolean> => {
    const index = join(agentGit, 'index');
    if (tryLstat(index)?.isFile() !== true) return false;
    // An index that a program left may be damaged.
    return gitOr(false, async () => {
      const name = pathBytes(path).toString('utf8');
      const listed = await objectGit(repository, ['ls-files', '-v', '-s', '-z', '--', name], {
        env: { GIT_INDEX_FILE: index },
      });
      return !parseIndexEntries(listed.stdout).some((one) => one.path === path && one.mode === GITLINK);
    });
  };

  const identifyIn = async (
    around: string,
    inner: BytePath,
    recorded: string | null,
  ): Promise<string | null> => {
    const path = (around === '' ? inner : `${around}/${inner}`) as BytePath;
    submodules.delete(path);
    if (tryLstat(at(path))?.isDirectory() !== true) return null;
    const known = (await registeredAt(around)).find((one) => one.path === inner);
    const gitFolder = gitFolderOf(path);
    if (gitFolder === null) return withoutGitFolder(path, known, recorded);
    if (known === undefined) return null;
    const { head } = await readRefs({ ...repository, gitDir: gitFolder, commonDir: gitFolder });
    if (head === null) return null;
    const url = resolvedUrl(
      known.url,
      around === '' ? await baseUrl(repository) : (submodules.get(around as BytePath)?.url ?? ''),
    );
    const module = isAtOrBelow(gitFolder, agentGit) ? relative(agentGit, gitFolder) : `modules/${known.name}`;
    const isKept =
      holdsOwnAlone(join(gitFolder, 'objects'), git !== null) &&
      (await keepCommit(repository, head, { from: gitFolder, known: recorded }));
    const seenAs = (id: string) => {
      submodules.set(path, { module, head, url, isKept, isClean: id === head, id, recorded });
      return id;
    };
    seenAs(head);
    if (!isKept) return head;
    const tree = withSubmodules(repository);
    const content = await contentOf(path, head);
    if (content === (await treeOf(tree, head))) return head;
    return seenAs(await uncommitted(tree, content, head));
  };

  const withoutGitFolder = async (
    path: BytePath,
    known: Registered | undefined,
    recorded: string | null,
  ): Promise<string | null> => {
    if (recorded === null) return null;
    if (readdirSync(at(path)).length === 0) return recorded;
    const text = await modulesText(repository, base());
    const before = (await registeredIn(repository, text)).find((one) => one.path === path);
    // The path was a submodule with its own git folder, or one that wasn't checked out.
    if (before !== undefined || known !== undefined) return null;
    const from = absolute(repository, path);
    const isSame = changedFiles(absolute(copy, path), from).length === 0;
    return isSame && !(await isGivenUp(path)) ? recorded : null;
  };

  /** A submodule whose commit the copy lacks has an empty folder, as after a clone. */
  const unseen = async (path: BytePath, head: string) => {
    const known = (await registeredAt('')).find((one) => one.path === path);
    const url = known === undefined ? '' : resolvedUrl(known.url, await baseUrl(repository));
    return [path, { head, url, isClean: true, isKept: false }] as const;
  };

  /** Returns why a submodule's commit can't land; `problem` is `null` when it can. */
  const problemOf = async (
    path: BytePath,
    one: SubmoduleState,
    before: string | null,
    keep: { readonly probe: Probe; readonly folder: string },
  ): Promise<Pick<Pointer, 'problem' | 'text' | 'fetch'>> => {
    if (!one.isClean) return { problem: 'uncommitted', text: '', fetch: null };
    const users = usersModule(absolute(repository, path).toString('utf8'));
    const modules = [...(users === null ? [] : [users]), ...moduleFolders(repository)];
    const why = await whyNotHad(repository, { commit: one.head, url: one.url, modules }, keep.probe);
    if (why === null) return { problem: null, text: '', fetch: null };
    const file = join(keep.folder, 'git', `${printPath(path)}.bundle`);
    mkdirSync(dirname(file), { recursive: true });
    const name = one.isKept ? await bundleCommit(repository, one.head, { known: before, file }) : null;
    if (name === null) return { problem: 'unreachable', text: why, fetch: null };
    const from = relative(join(repository.top, printPath(path)), file);
    const fetch = `git -C ${shellQuote(printPath(path))} fetch ${shellQuote(from)} ${name}`;
    return { problem: 'unreachable', text: why, fetch };
  };

  return {
    find: () => withSubmodules(repository),
    close: () => undefined,
    known: async () => {
      const now = (await registeredAt('')).filter(({ path }) => gitFolderOf(path) !== null);
      return new Map([...now.map(({ path }) => [path, ''] as const), ...submodulePointers(folder)]);
    },
    identify: (path, lastKnown) =>
      identifyIn('', path, (submodulePointers(folder).get(path) ?? lastKnown) || null),
    registered: async (repositories) => {
      const known = await registeredAt('');
      const links: Link[] = [];
      for (const path of repositories) {
        if (!known.some((one) => one.path === path)) continue;
        const oid = await identifyIn('', path, null);
        if (oid !== null) links.push({ path, oid });
      }
      return links;
    },
    pointers: async (links, keep) => {
      const pointers: Pointer[] = [];
      for (const { path, oid, before } of links) {
        const inner = [...submodules].filter(([one]) => isWithin(one, path));
        for (const [one, state] of inner.length === 0 ? [await unseen(path, oid)] : inner) {
          if (one !== path && state.isClean && (await isRecorded(one, state.head))) continue;
          const found = await problemOf(one, state, one === path ? before : null, keep);
          pointers.push({ path: printPath(one), commit: state.head, url: state.url, ...found });
        }
      }
      return pointers;
    },
    sent: async (links) => {
      const sent: SentCommit[] = [];
      for (const [path, { id, recorded: known, isKept }] of submodules) {
        if (!isKept || id === known || !links.some((link) => isWithin(path, link.path))) continue;
        sent.push({ path: printPath(path), commit: id, known, pack: await packOf(repository, id, known) });
      }
      return sent;
    },
    now: () =>
      [...submodules].map(([path, { module, head, url }]) => ({
        path,
        module,
        url,
        commit: head,
        users: usersModule(absolute(repository, path).toString('utf8')),
      })),
    absorb: (path) => {
      const dotGit = join(at(path), '.git');
      const known = submodules.get(path);
      if (known === undefined || lstatSync(dotGit, { throwIfNoEntry: false })?.isDirectory() !== true) return;
      const to = join(agentGit, known.module);
      if (existsSync(to)) return;
      mkdirSync(dirname(to), { recursive: true });
      renameSync(dotGit, to);
      writeFileSync(
        dotGit,
        `gitdir: ${'../'.repeat(printPath(path).split('/').length)}.git/${known.module}\n`,
      );
    },
  };

  /** Whether your checkout has this nested submodule at the commit. */
  async function isRecorded(path: BytePath, head: string): Promise<boolean> {
    const users = usersModule(absolute(repository, path).toString('utf8'));
    return users !== null && (await hasCommit({ ...repository, passing: join(users, 'objects') }, head));
  }
}

/** Whether an agent's object folder has no links or foreign alternates, which could expose other repositories. */
function holdsOwnAlone(objects: string, isBoxed: boolean): boolean {
  const others = (plainText(join(objects, 'info', 'alternates')) ?? '').split('\n').filter(Boolean);
  // Submodule paths of a box exist only inside it.
  const isLed = others.some((path) =>
    isBoxed ? !isBelow(path, BOX_SUBMODULES.root) : !/\/(?:ralph\/sub)?modules\//.test(path),
  );
  const hasLink = (folder: string): boolean =>
    readdirSync(folder, { withFileTypes: true }).some((entry) =>
      entry.isDirectory() ? hasLink(join(folder, entry.name)) : !entry.isFile(),
    );
  return tryOr(false, () => lstatSync(objects).isDirectory() && !isLed && !hasLink(objects));
}
