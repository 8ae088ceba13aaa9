import { STOP_HOOK_AGENTS, type StopHook, stopHookOf, UnreadableSettings } from 'ralph-agents';
import { isInstalled } from 'ralph-kit/programs/start/resolve-executable';
import { exitCodeOf } from '../../../domain/exit.ts';
import { type DataOf, type Failure, failure, success } from '../../result.ts';
import type { TrustAnswer } from '../../setup/check-trust.ts';
import { hooksFolderOf } from '../../setup/verify/session.ts';
import { workTreeAt } from '../../setup/work-tree.ts';
import { expectedFailure } from '../../setup/workspace.ts';
import {
  clearSettings,
  noSuchHook,
  type Place,
  readSettings,
  settingsBeforeInstall,
  writeSettings,
} from './settings-file.ts';

/** Seconds beyond the gates' limit that the agent's program waits, since ralph also copies files and reads the diff. */
const SPARE_SECONDS = 60;

export type HookPlan = {
  readonly agent: string;
  /** Path of the settings file, relative to the repository. */
  readonly file: string;
  readonly exists: boolean;
  readonly lines: readonly string[];
  readonly needs: string;
};

type Change = {
  readonly cwd: string;
  readonly agent: string;
  readonly dryRun: boolean;
};
type InstallInput = Change & {
  readonly maxAsks: number;
  readonly maxTime: number;
  /** Asks you to confirm; `null`: there is no terminal. */
  readonly confirm: ((plan: HookPlan) => Promise<TrustAnswer>) | null;
  readonly isAgreed: boolean;
};

export type HookInstallResult = DataOf<typeof installHook>;
export type HookRemoveResult = DataOf<typeof removeHook>;
export type HookListResult = DataOf<typeof listHooks>;

/** Adds ralph's hook to an agent's settings in the repository, so that the agent asks ralph before it stops. */
export async function installHook(input: InstallInput) {
  const { agent, dryRun } = input;
  return inPlace(input, async (place, hook) => {
    const read = readSettings(place.root, hook);
    if (!read.ok) return read;
    const { twice } = hook;
    if (twice !== null && isThere(place.root, twice.agent))
      return failure(
        `${twice.agent} has the hook here, and ${twice.why}: with both, its work would be checked twice.`,
        `ralph hook remove ${twice.agent}`,
      );
    const before = read.text;
    const first = settingsBeforeInstall(place, agent, before);
    const after = hook.add(first ?? '', commandFor(input), input.maxTime + SPARE_SECONDS);
    const { file, needs } = hook;
    const plan: HookPlan = {
      agent,
      file,
      exists: before !== null,
      lines: linesBetween(before ?? '', after),
      needs,
    };
    const isOnPath = isInstalled('ralph', place.root);
    const outcome = (action: 'installed' | 'would_install' | 'unchanged') =>
      success({ action, ...plan, on_path: isOnPath });
    if (before === after) return outcome('unchanged');
    if (dryRun) return outcome('would_install');
    if (!input.isAgreed) {
      if (input.confirm === null)
        return failure(
          `This writes into ${file}, and there is no terminal to ask you at.`,
          `ralph hook install ${agent} --yes`,
        );
      const answer = await input.confirm(plan);
      if (answer !== 'yes')
        return failure('Nothing was written.', null, answer === 'stopped' ? exitCodeOf('SIGINT') : undefined);
      const again = readSettings(place.root, hook);
      if (!again.ok || again.text !== before)
        return failure(`${file} changed meanwhile. Nothing was written.`, `ralph hook install ${agent}`);
    }
    writeSettings(place, agent, { file, before, after });
    return outcome('installed');
  });
}

/** Removes ralph's entries from an agent's settings, and nothing else. */
export async function removeHook(input: Change) {
  const { agent, dryRun } = input;
  return inPlace(input, async (place, hook) => {
    const read = readSettings(place.root, hook);
    if (!read.ok) return read;
    const { file } = hook;
    const outcome = (action: 'removed' | 'would_remove' | 'absent', isGone: boolean) =>
      success({ action, agent, file, file_removed: isGone });
    if (read.text === null || !read.isInstalled) return outcome('absent', false);
    if (dryRun) return outcome('would_remove', hook.remove(read.text) === '');
    return outcome('removed', clearSettings(place, agent, hook, read.text) === null);
  });
}

export async function listHooks({ cwd }: { readonly cwd: string }) {
  const found = await workTreeAt(cwd);
  if (!found.ok) return found;
  const hooks = STOP_HOOK_AGENTS.flatMap((agent) => {
    const hook = stopHookOf(agent);
    if (typeof hook === 'string') return [];
    const read = readSettings(found.top, hook);
    const installed = read.ok ? read.isInstalled : null;
    return [{ agent, file: hook.file, installed, problem: read.ok ? null : read.message }];
  });
  return success({ hooks });
}

function isThere(root: string, agent: string): boolean {
  const hook = stopHookOf(agent);
  const read = typeof hook === 'string' ? null : readSettings(root, hook);
  return read?.ok === true && read.isInstalled;
}

async function inPlace<R>(
  { cwd, agent }: Pick<Change, 'cwd' | 'agent'>,
  work: (place: Place, hook: StopHook) => Promise<R>,
): Promise<R | Failure> {
  const hook = stopHookOf(agent);
  if (typeof hook === 'string') return noSuchHook(hook);
  try {
    const found = await workTreeAt(cwd);
    if (!found.ok) return found;
    return await work({ root: found.top, hooks: hooksFolderOf(found.commonDir) }, hook);
  } catch (error) {
    if (error instanceof UnreadableSettings)
      return failure(`${hook.file}: ${error.message}. Nothing was written.`, `Correct it in ${hook.file}.`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return expectedFailure(error, cwd);
    return failure(`${hook.file} can't be written: ${(error as Error).message}`, 'ralph doctor', 1);
  }
}

function commandFor({ agent, maxAsks, maxTime }: InstallInput): string {
  return `ralph hook run ${agent} --max-asks ${maxAsks} --max-time ${maxTime}`;
}

function linesBetween(before: string, after: string): string[] {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < old.length && old[from] === lines[from]) from += 1;
  let end = 0;
  while (end < old.length - from && old.at(-1 - end) === lines.at(-1 - end)) end += 1;
  return lines.slice(from, lines.length - end);
}
