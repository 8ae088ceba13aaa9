import { type Action, MOST_PATHS, workingFolder } from 'ralph-kit/actions/action';
import { type Budget, exactField, LONGEST_COMMAND, spend } from '../shell/index.ts';
import { CODE_TEXT, codeEffects } from './code/inline-code.ts';
import { type Effect, type EffectPlace, pathEffect } from './effect.ts';
import { requestEffect } from './network/hosts.ts';
import { effectsOfCommand, patchEffects } from './of-command.ts';

/** Characters of a possible patch that cost one step of the review's budget. */
const PATCH_TEXT = 200;

export function effectsOfAction(action: Action, place: EffectPlace, budget: Budget): readonly Effect[] {
  const { kind, command, content } = action;
  const cwd = workingFolder(action, place.root);
  const shell = (text: string) => effectsOfCommand(text, cwd, place, budget);
  const programs = kind === 'typing' || kind === 'unknown' ? content : [];
  return [
    ...(kind === 'system_command' && command !== null && spend(budget, command.length / PATCH_TEXT)
      ? patchEffects([command], [cwd], place)
      : []),
    ...(command === null ? [] : shell(command)),
    ...programs.flatMap((text) => [
      ...programEffects(text, { cwd, place, budget, shell }),
      // Typed text may go to a shell or to an interpreter.
      ...(kind === 'typing' ? shell(text) : []),
    ]),
    ...pathEffects(action, cwd, place),
    ...(action.network === null ? [] : [requestEffect(action.tool, action.network)]),
    ...(command === null ? [] : [{ kind: 'executes' as const, text: command }]),
  ];
}

type Program = {
  readonly cwd: string;
  readonly place: EffectPlace;
  readonly budget: Budget;
  readonly shell: (text: string) => readonly Effect[];
};

function programEffects(text: string, { cwd, place, budget, shell }: Program): readonly Effect[] {
  if (text.length > LONGEST_COMMAND) return [{ kind: 'unfollowed', why: 'too_long', text }];
  if (!spend(budget, text.length / CODE_TEXT)) return [];
  return codeEffects(text, { place, cwds: [cwd], shell, inline: true });
}

const EFFECTS = { read: 'reads', write: 'writes', delete: 'deletes' } as const;

function pathEffects({ paths, tool, input }: Action, cwd: string, place: EffectPlace): readonly Effect[] {
  if (paths.length > MOST_PATHS) return [{ kind: 'unfollowed', why: 'too_many_paths', text: '' }];
  return paths.map(({ path, change }) => {
    const home = path.startsWith('~/') ? place.home : null;
    const target = exactField(home === null ? path : home + path.slice(1));
    const more = { recursive: change === 'delete' && input.recursive === true };
    return pathEffect(EFFECTS[change], tool, target, [cwd], place, more);
  });
}
