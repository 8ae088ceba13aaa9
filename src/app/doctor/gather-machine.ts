import { supervisionKind } from '../../io/proc/index.ts';
import { resolveExecutable } from '../../io/proc/launch/resolve-executable.ts';
import type { MachineFacts } from './facts.ts';

/** The machine: what supervises agents here, and with which Node. */
export function gatherMachine(): MachineFacts {
  return {
    platform: process.platform,
    node: process.versions.node,
    perl: findProgram('perl', '/'),
    supervision: supervisionKind(process.env),
  };
}

/** Where a program is that would start in this folder; `null` when none would. */
export function findProgram(name: string, cwd: string): string | null {
  const found = resolveExecutable(name, cwd, process.env);
  return found.kind === 'found' ? found.path : null;
}
