import { changeState } from './builtins.ts';
import { exactField, type Field } from './field.ts';
import type { Elsewhere } from './inner.ts';
import { startFolders } from './mounts.ts';
import { copyState, type ShellState } from './shell-state.ts';
import type { Walk } from './walk.ts';

/** With the variables and the folder that a wrapper gives its command. */
export function surrounded(walk: Walk, assigned: readonly Field[], folder: Field | undefined): Walk {
  if (assigned.length === 0 && folder === undefined) return walk;
  const state = copyState(walk.state);
  changeState([exactField('export'), ...assigned], state);
  if (folder !== undefined) changeState([exactField('cd'), folder], state);
  return { ...walk, state };
}

/** Another machine: none of its folders is the repository. In a container they may be mounted. */
export function elsewhere(walk: Walk, where: Elsewhere): Walk {
  const home = '/another-machine/home';
  const isContainer = where !== 'machine';
  const vars = new Map([['HOME', [exactField(home)] as readonly Field[]]]);
  const state: ShellState = {
    ...{ cwds: isContainer ? startFolders(where) : [home], folders: [], vars },
    ...{ arrays: new Map(), functions: new Map(), aliases: new Map() },
  };
  const own = isContainer ? { mounts: where.mounts, lasts: where.lasts, cwds: walk.state.cwds } : null;
  return { ...walk, state, contained: walk.contained ?? own };
}
