import { agentsReach } from './agents-reach.ts';
import { printedBy } from './printed-by.ts';
import { type Environment, resolveExecutable } from './resolve-executable.ts';

/** A program that is slower to print its help is used without the switch. */
const HELP_MS = 10_000;

/** Reads `--help` once per program. Programs that agents can write aren't run and have no switches. */
export function openSwitches(
  root: string,
  env: Environment,
): (program: string, name: string) => Promise<boolean> {
  const asked = new Map<string, Promise<string>>();
  return async (program, name) => {
    const found = resolveExecutable(program, root, env);
    if (found.kind !== 'found' || agentsReach(found.path, root) !== null) return false;
    const help = asked.get(found.path) ?? printedBy(found.path, ['--help'], HELP_MS);
    asked.set(found.path, help);
    return (await help).split(/[\s,=[<]+/).includes(name);
  };
}
