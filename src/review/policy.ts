import { type Action, MOST_PATHS, onlyLooks } from '../domain/action.ts';
import type { ReviewPlace, Ruling } from '../domain/review.ts';
import { patchedPaths } from '../lib/patch-paths.ts';
import { type Denial, deny } from './denial.ts';
import { exactField } from './field.ts';
import { judgeCode } from './inline-code.ts';
import { firstOf, judgeCommand } from './judge-command.ts';
import { judgePaths } from './judge-patch.ts';
import { judgeDeletion, judgeWrite } from './judge-path.ts';
import { LONGEST_COMMAND } from './parse-command.ts';
import { judgeUnparsed } from './unparsed.ts';

const ALLOWED: Ruling = { decision: 'allow' };

/**
 * The fixed policy: nothing outside the repository is deleted, nothing of ralph's and the agents' own settings is
 * changed, and no program is left open that takes commands unseen. Never throws; what cannot be analysed at all is
 * denied where it speaks of deleting or of those settings.
 */
export function reviewAction(action: Action, place: ReviewPlace): Ruling {
  try {
    return judge(action, place) ?? ALLOWED;
  } catch {
    // A gate has to answer: an action that no rule could finish with does not happen unless it only looks.
    if (onlyLooks(action)) return ALLOWED;
    return deny(
      'unparsed',
      `The call of ${action.tool} could not be analysed. Write it more simply, one step in a call.`,
    );
  }
}

function judge(action: Action, place: ReviewPlace): Denial | null {
  const cwd = folderOf(action, place);
  const { command, content, kind } = action;
  if (onlyLooks(action)) return null;
  const asShell = command === null ? null : judgeShell(command, cwd, place, kind);
  const asProgram = kind === 'typing' || kind === 'unknown' ? content : [];
  return (
    asShell ??
    firstOf(
      asProgram,
      (text) => judgeProgram(text, cwd, place) ?? (kind === 'typing' ? judgeCommand(text, cwd, place) : null),
    ) ??
    judgeNamed(action, cwd, place)
  );
}

function judgeShell(command: string, cwd: string, place: ReviewPlace, kind: Action['kind']): Denial | null {
  const patch = kind === 'system_command' ? judgePaths(patchedPaths([command]), [cwd], place) : null;
  return patch ?? judgeCommand(command, cwd, place);
}

function folderOf({ cwd }: Action, place: ReviewPlace): string {
  if (cwd === null) return place.root;
  return cwd.startsWith('/') ? cwd : `${place.root}/${cwd}`;
}

/** Text for a program that was left open: a shell, or an interpreter of an unknown language. */
function judgeProgram(text: string, cwd: string, place: ReviewPlace): Denial | null {
  if (text.length > LONGEST_COMMAND) return judgeUnparsed(text, 'too long');
  const shell = (inner: string) => judgeCommand(inner, cwd, place);
  return judgeCode(exactField(text), { place, cwds: [cwd], shell });
}

function judgeNamed({ paths }: Action, cwd: string, place: ReviewPlace): Denial | null {
  if (paths.length > MOST_PATHS) {
    return deny(
      'unparsed',
      `More than ${MOST_PATHS} paths in a call are too many to be analysed. Split it into several.`,
    );
  }
  return firstOf(paths, ({ path, change }) => {
    const home = path.startsWith('~/') ? place.home : null;
    const target = exactField(home === null ? path : home + path.slice(1));
    if (change === 'read') return null;
    return change === 'delete' ? judgeDeletion(target, [cwd], place) : judgeWrite(target, [cwd], place);
  });
}
