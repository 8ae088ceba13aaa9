import { existsSync } from 'node:fs';
import type { boxOf } from '../../box/index.ts';
import { gitCall } from '../call/environment.ts';
import { setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { withoutUser } from '../repository/remote-call.ts';
import { holds } from '../submodules/objects.ts';
import { hookProblem } from '../view/hooks.ts';

/**
 * What a remote is asked in. `isLocal`: it is a folder of this machine, of which no box shows all; else a box that reaches what agents reach, and has
 * no credentials of yours.
 */
export type Probe = (isLocal: boolean) => ReturnType<typeof boxOf>;

const LOCAL = /^(?:file:|[./])/;

/** The exit code of the script where a remote answers and doesn't have the commit. */
const NOT_THERE = 3;

/** Asks a remote for a commit, in a repository that is gone afterwards; a server that gives none by its id gives all that it has. */
const SCRIPT = `unset GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
git=$1 url=$2 commit=$3
probe=$(mktemp -d) || exit
trap 'rm -rf "$probe"' EXIT
cd "$probe" && "$git" init -q --bare . || exit
tips=$("$git" ls-remote -- "$url") || exit
case "$tips" in *"$commit"*) exit 0 ;; esac
"$git" fetch -q --depth 1 --filter=tree:0 -- "$url" "$commit" 2>/dev/null && exit 0
"$git" fetch -q --filter=tree:0 -- "$url" '+refs/*:refs/probe/*' || exit
"$git" cat-file -e "$commit^{commit}" 2>/dev/null || exit ${NOT_THERE}`;

/** Of a server that doesn't answer. */
const IMPATIENT = { GIT_TERMINAL_PROMPT: '0', GIT_HTTP_LOW_SPEED_LIMIT: '1', GIT_HTTP_LOW_SPEED_TIME: '60' };

type Wanted = {
  readonly commit: string;
  readonly url: string;
  /** Folders of objects of your own submodules. */
  readonly known: readonly string[];
};

/** Why a submodule's commit can't be had, as the rest of a sentence about it; `null`: it can. */
export async function whyNotHad(
  repository: WorkTree,
  { commit, url, known }: Wanted,
  probe: Probe,
): Promise<string | null> {
  for (const passing of known)
    if (existsSync(passing) && (await holds({ ...repository, passing }, commit))) return null;
  const call = gitCall({ kind: 'question', folder: repository.top });
  if (call.program.kind === 'missing') return call.program.message;
  // As `git submodule update` asks it.
  const file = await setting(repository, 'path', 'protocol.file.allow');
  const allowed =
    file === null
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: file };
  const env = { ...IMPATIENT, GIT_PROTOCOL_FROM_USER: '0', ...allowed };
  const box = probe(LOCAL.test(url));
  try {
    const argv = ['/bin/sh', '-c', SCRIPT, 'sh', call.program.path, url, commit];
    const why = await hookProblem(box, argv, { call, env, input: '' });
    if (why === null) return null;
    const shown = `its remote ${withoutUser(url)}`;
    if (why.startsWith(`ended with ${NOT_THERE}:`)) return `${shown} doesn't have that commit`;
    const answer = why.slice(why.indexOf(': ') + 2).split('\n')[0];
    return `${shown} can't be asked for that commit (${withoutUser(answer ?? '')})`;
  } finally {
    box.close();
  }
}
