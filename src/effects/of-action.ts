import { type Action, MOST_PATHS, workingFolder } from '../domain/action.ts';
import { exactField, LONGEST_COMMAND } from '../shell/index.ts';
import { type Effect, type EffectPlace, pathEffect } from './effect.ts';
import { codeEffects } from './inline-code.ts';
import { requestEffect } from './network/index.ts';
import { effectsOfCommand, patchEffects } from './of-command.ts';

/** What a tool call does, in the order in which its parts name it. */
export function effectsOfAction(action: Action, place: EffectPlace): readonly Effect[] {
  const { kind, command, content } = action;
  const cwd = workingFolder(action, place.root);
  const shell = (text: string) => effectsOfCommand(text, cwd, place);
  const programs = kind === 'typing' || kind === 'unknown' ? content : [];
  return [
    ...(kind === 'system_command' && command !== null ? patchEffects([command], [cwd], place) : []),
    ...(command === null ? [] : shell(command)),
    ...programs.flatMap((text) => [
      ...programEffects(text, cwd, place, shell),
      // What is typed may go to a shell or to an interpreter.
      ...(kind === 'typing' ? shell(text) : []),
    ]),
    ...pathEffects(action, cwd, place),
    ...(action.network === null ? [] : [requestEffect(action.tool, action.network)]),
    ...(command === null ? [] : [{ kind: 'executes' as const, text: command }]),
  ];
}

function programEffects(
  text: string,
  cwd: string,
  place: EffectPlace,
  shell: (text: string) => readonly Effect[],
): readonly Effect[] {
  if (text.length > LONGEST_COMMAND) return [{ kind: 'unfollowed', why: 'too_long', text }];
  return codeEffects(text, { place, cwds: [cwd], shell, inline: true });
}

const EFFECTS = { read: 'reads', write: 'writes', delete: 'deletes' } as const;

function pathEffects({ paths, tool }: Action, cwd: string, place: EffectPlace): readonly Effect[] {
  if (paths.length > MOST_PATHS) return [{ kind: 'unfollowed', why: 'too_many_paths', text: '' }];
  return paths.map(({ path, change }) => {
    const home = path.startsWith('~/') ? place.home : null;
    const target = exactField(home === null ? path : home + path.slice(1));
    return pathEffect(EFFECTS[change], tool, target, [cwd], place);
  });
}
