import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ADAPTERS, STOP_HOOK_AGENTS, type StopHook, stopHookOf } from 'ralph-agents';
import { AGENT_SETTINGS } from 'ralph-agents/known';
import { plainText } from 'ralph-kit/files/plain-file';
import { firstFew, pathText } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { check, info } from '../check.ts';

type HookFile = { readonly agent: string; readonly file: string };

const FILES_NAMED = 5;
/** Folders below an agent's folder that are read. An agent may keep installed packages there. */
const DEPTH = 3;
const MAX_BYTES = 1_000_000;

/** Files that only hold hooks or programs that an agent loads. */
const ONLY_HOOKS = /(?:^|\/)(?:hooks(?:\/|\.json$)|plugins?\/|extensions\/)/;
/** A key of JSON or TOML with hooks, or codex's program that is told of each turn. */
const HAS_HOOKS = /"hooks"\s*:|^\s*(?:\[+hooks\b|hooks\s*=|notify\s*=)/m;

/** Names programs that agents start on their own in this repository, besides tool servers (`serversCheck`). */
export const hooksCheck = check({
  gather: ({ root }) => {
    const hooks = STOP_HOOK_AGENTS.flatMap((agent) => {
      const hook = stopHookOf(agent);
      return typeof hook === 'string' ? [] : [{ agent, hook }];
    });
    const textOf = (file: string) => plainText(join(root, file), MAX_BYTES) ?? '';
    const byRalph = hooks.filter(({ hook }) => tryOr(false, () => hook.isInstalled(textOf(hook.file))));
    const files = [
      ...AGENT_SETTINGS.files,
      ...AGENT_SETTINGS.folders.flatMap((folder) => filesBelow(root, folder)),
    ];
    const others = Object.values(ADAPTERS).flatMap(({ name, runsOnOpen }) =>
      files
        .filter((file) => runsOnOpen.test(file) && startsSomething(file, textOf(file), hooks))
        .map((file) => ({ agent: name, file })),
    );
    return { byRalph: byRalph.map(({ agent, hook: { file } }) => ({ agent, file })), others };
  },
  judge: ({ byRalph, others }: { byRalph: readonly HookFile[]; others: readonly HookFile[] }) => [
    ...byRalph.map(({ agent, file }) =>
      info(
        'agents.hook',
        `${agent} asks ralph before it stops`,
        file,
        `To end that: ralph hook remove ${agent}`,
      ),
    ),
    ...(others.length === 0
      ? []
      : [
          info(
            'agents.hooks',
            "hooks that ralph didn't install",
            `${firstFew(
              others.map(({ agent, file }) => `${pathText(file)} (${agent})`),
              FILES_NAMED,
            )}; these agents run them on their own`,
            'Remove those that no agent should run.',
          ),
        ]),
  ],
});

/** Returns whether a file starts something besides ralph's own hook. */
function startsSomething(file: string, text: string, hooks: readonly { readonly hook: StopHook }[]): boolean {
  const own = hooks.find(({ hook }) => hook.file === file)?.hook;
  const rest = own === undefined ? text : tryOr(text, () => own.remove(text));
  return rest !== '' && (ONLY_HOOKS.test(file) || HAS_HOOKS.test(rest));
}

function filesBelow(root: string, folder: string, depth = DEPTH): string[] {
  return tryOr([], () => readdirSync(join(root, folder), { withFileTypes: true })).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return depth === 0 ? [] : filesBelow(root, path, depth - 1);
  });
}
