import type { ReviewPlace } from '../domain/review.ts';
import { type PatchPath, patchedPaths } from '../lib/patch-paths.ts';
import { programName, splitArguments } from './arguments.ts';
import { type Denial, deny } from './denial.ts';
import { exactField, fieldText } from './field.ts';
import { gitCall } from './git-call.ts';
import { judgeDeletion, judgeWrite } from './judge-path.ts';

import type { SimpleCommand } from './simple-command.ts';

const MOST_FILES = 2000;

type Folders = readonly (string | null)[];

/** A patch that a command is given, by the folder that the command runs in. */
export function judgePatchCommand(command: SimpleCommand, place: ReviewPlace): Denial | null {
  const name = programName(command.argv[0]);
  const git = name === 'git' ? gitCall(command) : null;
  if (name !== 'apply_patch' && name !== 'patch' && git?.verb !== 'apply') return null;
  const { output } = command.input;
  const fed = output.kind === 'text' ? [output.text] : [];
  const given = name === 'apply_patch' ? splitArguments(command.argv.slice(1)).operands.map(fieldText) : [];
  return judgePaths(patchedPaths([...fed, ...given]), git?.cwds ?? command.cwds, place);
}

/** What comes of the files that a patch writes and deletes. */
export function judgePaths(paths: readonly PatchPath[], cwds: Folders, place: ReviewPlace): Denial | null {
  if (paths.length > MOST_FILES) {
    return deny(
      'unparsed',
      `A patch of ${paths.length} files is too long to be analysed. Make several of it.`,
    );
  }
  for (const { path, change } of paths) {
    const judge = change === 'delete' ? judgeDeletion : judgeWrite;
    const denial = judge(exactField(path), cwds, place);
    if (denial !== null) return denial;
  }
  return null;
}
