import type { AgentAction, ReviewPlace, Ruling } from '../domain/review.ts';
import {
  codeTexts,
  commandText,
  MOST_PATHS,
  namedFolder,
  namedPaths,
  patchTexts,
  typedTexts,
} from './action-parts.ts';
import { type Denial, deny } from './denial.ts';
import { exactField } from './field.ts';
import { judgeCode } from './inline-code.ts';
import { firstOf, judgeCommand } from './judge-command.ts';
import { judgePatches } from './judge-patch.ts';
import { judgeDeletion, judgeWrite } from './judge-path.ts';
import { LONGEST_COMMAND } from './parse-command.ts';
import { actionKind, isReadOnly } from './tools.ts';
import { judgeUnparsed } from './unparsed.ts';

const ALLOWED: Ruling = { decision: 'allow' };

/** Verbs in the names of tools that other servers offer. */
const READS =
  /(?:^|[_.-])(?:read|get|list|search|view|find|stat|show|describe|query|fetch|open|tree|info)(?:[_.-]|$)/;
const DELETES = /(?:^|[_.-])(?:delete|remove|unlink|trash|rm|rmdir)(?:[_.-]|$)/;
const MOVES = /(?:^|[_.-])(?:move|rename|mv)(?:[_.-]|$)/;
const OLD_PLACE = /^(?:source|src|from|old)/;

/**
 * The fixed policy: nothing outside the repository is deleted, nothing of ralph's and the agents' own settings is
 * changed, and no program is left open that takes commands unseen. Never throws; what cannot be analysed at all is
 * denied where it speaks of deleting or of those settings.
 */
export function reviewAction(action: AgentAction, place: ReviewPlace): Ruling {
  try {
    return judge(action, place) ?? ALLOWED;
  } catch {
    // A gate has to answer: an action that no rule could finish with does not happen unless it only looks.
    if (isReadOnly(action)) return ALLOWED;
    return deny(
      'unparsed',
      `The call of ${action.tool} could not be analysed. Write it more simply, one step in a call.`,
    );
  }
}

function judge(action: AgentAction, place: ReviewPlace): Denial | null {
  const { input, tool } = action;
  const cwd = folderOf(action, place);
  switch (actionKind(action)) {
    case 'read':
      return null;
    case 'shell': {
      const text = commandText(input);
      return text === null ? null : (judgePatches([text], [cwd], place) ?? judgeCommand(text, cwd, place));
    }
    case 'typing':
      return judgeTyped(typedTexts(input), cwd, place);
    case 'write':
      return input.command === 'view' ? null : judgeNamed('write', input, cwd, place);
    case 'patch':
      return (
        judgePatches(patchTexts(input), [cwd], place, input.changes) ?? judgeNamed('write', input, cwd, place)
      );
    case 'memory':
      return deny(
        'protected_write',
        `${tool} writes to an agent's own settings. Keep notes in the repository instead.`,
      );
    case 'other':
      return judgeOther(action, cwd, place);
  }
}

function folderOf(action: AgentAction, place: ReviewPlace): string {
  const base = action.cwd ?? place.root;
  const named = namedFolder(action.input);
  if (named === null) return base;
  return named.startsWith('/') ? named : `${base}/${named}`;
}

/** Text for a program that was left open: a shell, or an interpreter of which nobody knows the language. */
function judgeTyped(texts: readonly string[], cwd: string, place: ReviewPlace): Denial | null {
  return firstOf(texts, (text) => judgeProgram(text, cwd, place) ?? judgeCommand(text, cwd, place));
}

function judgeProgram(text: string, cwd: string, place: ReviewPlace): Denial | null {
  if (text.length > LONGEST_COMMAND) return judgeUnparsed(text, 'too long');
  const shell = (inner: string) => judgeCommand(inner, cwd, place);
  return judgeCode(exactField(text), { place, cwds: [cwd], shell });
}

function judgeNamed(
  verb: 'write' | 'delete' | 'move',
  input: AgentAction['input'],
  cwd: string,
  place: ReviewPlace,
) {
  const paths = namedPaths(input);
  if (paths.length > MOST_PATHS) {
    return deny(
      'unparsed',
      `More than ${MOST_PATHS} paths in a call are too many to be analysed. Make several of it.`,
    );
  }
  return firstOf(paths, ({ key, path }) => {
    const target = exactField(
      path.startsWith('~/') && place.home !== null ? place.home + path.slice(1) : path,
    );
    const deletes = verb === 'delete' || (verb === 'move' && OLD_PLACE.test(key.toLowerCase()));
    return deletes ? judgeDeletion(target, [cwd], place) : judgeWrite(target, [cwd], place);
  });
}

/** A tool of some other server: by what its name says it does, and by the inputs that are named like paths. */
function judgeOther(action: AgentAction, cwd: string, place: ReviewPlace): Denial | null {
  const { input } = action;
  const command = commandText(input);
  const denial =
    (command === null ? null : judgeCommand(command, cwd, place)) ??
    firstOf(codeTexts(input), (text) => judgeProgram(text, cwd, place)) ??
    judgePatches(patchTexts(input), [cwd], place, input.changes);
  if (denial !== null) return denial;
  const name = action.tool.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (DELETES.test(name)) return judgeNamed('delete', input, cwd, place);
  if (MOVES.test(name)) return judgeNamed('move', input, cwd, place);
  return READS.test(name) ? null : judgeNamed('write', input, cwd, place);
}
