import { join } from 'node:path';
import type { boxOf } from 'ralph-box';
import { configText, lastValue } from 'ralph-kit/formats/git-config';
import { gitCall } from '../call/environment.ts';
import { localSettings, setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { nonInteractive, withoutUser } from '../repository/remote-call.ts';
import { hasCommit } from '../submodules/objects.ts';
import { hookProblem } from '../view/hooks.ts';

/**
 * Returns the box for asking a remote. `asUser`: no box, because your own settings name the remote or it is a local
 * folder; otherwise the box has the agents' network and none of your credentials.
 */
export type Probe = (asUser: boolean) => ReturnType<typeof boxOf>;

const LOCAL = /^(?:file:|[./])/;

/** Exit code of the script when a remote answers but lacks the commit. */
const NOT_THERE = 3;

/**
 * Asks a remote for a commit in a temporary repository; settings come on standard input. Servers that serve no commit
 * by id send everything. Git waits forever for a partial fetch from a server that only has files.
 */
const SCRIPT = `unset GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
git=$1 url=$2 commit=$3
probe=$(mktemp -d) || exit
trap 'rm -rf "$probe"' EXIT
cd "$probe" && "$git" init -q --bare . && cat >> config || exit
tips=$("$git" ls-remote -- "$url") || exit
case "$tips" in *"$commit"*) exit 0 ;; esac
part=--filter=tree:0
said=$("$git" fetch -q --depth 1 $part -- "$url" "$commit" 2>&1) && exit 0
case "$said" in *"dumb http"*) part= && "$git" config --remove-section "remote.$url" ;; esac
"$git" fetch -q $part -- "$url" '+refs/*:refs/probe/*' || exit
"$git" cat-file -e "$commit^{commit}" 2>/dev/null || exit ${NOT_THERE}`;

/** Limits for a server that doesn't answer. */
const IMPATIENT = { GIT_TERMINAL_PROMPT: '0', GIT_HTTP_LOW_SPEED_LIMIT: '1', GIT_HTTP_LOW_SPEED_TIME: '60' };

/** Settings that control access to a remote. */
const HOW_ASKED = /^(?:core\.(?:sshcommand|gitproxy|askpass)|(?:credential|http|https|ssh|url)\..*)$/s;

type Wanted = {
  readonly commit: string;
  readonly url: string;
  readonly modules: readonly string[];
};

/** Returns why a submodule's commit is unavailable, as the end of a sentence; `null` when it is available. */
export async function whyNotHad(
  repository: WorkTree,
  { commit, url, modules }: Wanted,
  probe: Probe,
): Promise<string | null> {
  for (const folder of modules)
    if (await hasCommit({ ...repository, passing: join(folder, 'objects') }, commit)) return null;
  if (url === '') return 'no .gitmodules says where it is';
  const call = gitCall({ kind: 'question', folder: repository.top });
  if (call.program.kind === 'missing') return call.program.message;
  const own = await settingsAt(repository, url, modules);
  const ssh = own?.ssh ?? (await setting(repository, 'path', 'core.sshCommand'));
  // `git submodule update` uses this setting, too.
  const file = await setting(repository, 'path', 'protocol.file.allow');
  const settings = [
    ...(ssh === null ? [] : [{ key: 'core.sshCommand', value: Buffer.from(ssh).toString('latin1') }]),
    ...(file === null ? [] : [{ key: 'protocol.file.allow', value: file }]),
    ...(own?.settings ?? []),
  ];
  const { GIT_SSH, GIT_SSH_COMMAND } = process.env;
  const named = Object.entries({ GIT_SSH, GIT_SSH_COMMAND }).filter(([, value]) => value !== undefined);
  const env = {
    ...IMPATIENT,
    GIT_PROTOCOL_FROM_USER: '0',
    LC_ALL: 'C',
    ...Object.fromEntries(named),
    ...nonInteractive(ssh),
  };
  const box = probe(own !== null || LOCAL.test(url));
  try {
    const argv = ['/bin/sh', '-c', SCRIPT, 'sh', call.program.path, own?.url ?? url, commit];
    const input = Buffer.from(configText(settings), 'latin1');
    const why = await hookProblem(box, argv, { call, env, input });
    if (why === null) return null;
    const shown = `its remote ${withoutUser(url)}`;
    if (why.startsWith(`ended with ${NOT_THERE}:`)) return `${shown} doesn't have that commit`;
    const answer = why.slice(why.indexOf(': ') + 2).split('\n')[0];
    return `${shown} can't be asked for that commit (${withoutUser(answer ?? '')})`;
  } finally {
    box.close();
  }
}

/** Returns your settings for a remote with this address; `null` when none of your submodules has it. */
async function settingsAt(repository: WorkTree, url: string, modules: readonly string[]) {
  for (const folder of modules) {
    const own = { ...repository, gitDir: folder, commonDir: folder, view: null };
    const all = await localSettings(own);
    const known = lastValue(all, 'remote.origin.url');
    if (known === null || withoutUser(known) !== withoutUser(url)) continue;
    const settings = all.filter(({ key }) => HOW_ASKED.test(key));
    return { url: known, ssh: lastValue(settings, 'core.sshcommand'), settings };
  }
  return null;
}
