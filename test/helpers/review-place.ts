import { NO_OWN_FILES, type ReviewPlace } from 'ralph-actions/forms/place';
import { explain, reviewAction } from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import { actionOf } from './action.ts';

export const ROOT = '/home/ann/shop';
export const HOME = '/home/ann';

/** Links of the imagined machine: from the path to what it leads to. */
const LINKS: Readonly<Record<string, string>> = {
  [`${ROOT}/shared-link`]: '/srv/shared',
  [`${ROOT}/inner-link`]: `${ROOT}/packages`,
  [`${ROOT}/state-link`]: `${ROOT}/.ralph`,
};

export const PLACE: ReviewPlace = {
  root: ROOT,
  home: HOME,
  protectedFolders: ['/run/ralph-gate', `${ROOT}/var/gate`],
  restricted: null,
  unseenInput: false,
  tmpdir: { path: '/tmp', own: false },
  existed: (path) => !path.startsWith(`${HOME}/shop-`),
  entries: () => [],
  ownFiles: NO_OWN_FILES,
  writtenText: () => null,
  realPath: (path) => {
    for (const [link, target] of Object.entries(LINKS)) {
      if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
    }
    return path;
  },
};

export function action(tool: string, input: Record<string, unknown>, cwd: string | null = null): Action {
  return actionOf(tool, input, { cwd });
}

/** `allow`, where it may come with a warning, or the name of the rule that stopped it. */
export function ruling(act: Action, place: ReviewPlace = PLACE): string {
  const result = reviewAction(act, place);
  return result.decision === 'allow' || result.decision === 'warn' ? 'allow' : result.rule;
}

/** Returns the rules that would stop a command. */
export function stoppedBy(act: Action, place: ReviewPlace = PLACE): readonly string[] {
  return explain(act, place)
    .opinions.filter(({ ruling: { decision } }) => decision !== 'warn')
    .map((opinion) => opinion.ruling.rule);
}

export function commandRuling(command: string, place: ReviewPlace = PLACE): string {
  return ruling(action('Bash', { command }), place);
}

/** The ruling on a command where files were written in this attempt. */
export function rulingWith(files: Readonly<Record<string, string>>, command: string): string {
  const writtenText = (path: string) => files[path.slice(ROOT.length + 1)] ?? null;
  const result = reviewAction(action('Bash', { command }), { ...PLACE, writtenText });
  return result.decision === 'allow' ? 'allow' : `${result.decision} ${result.rule}`;
}
