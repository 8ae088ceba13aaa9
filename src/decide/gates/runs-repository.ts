import type { GateFiles } from '../../domain/ports.ts';
import { resolveGate } from './resolve-gate.ts';

/** Programs that run what a repository says, whatever their arguments are. */
const BUILDERS =
  /^(?:ant|bazel(?:isk)?|bundle|bun|cargo|cmake|composer|deno|direnv|dotnet|earthly|go|gradle|hatch|just|lerna|g?make|mise|mix|mvn|ninja|nox|npm|npx|nx|pdm|pipenv|pnpm|poetry|rake|sbt|swift|task|tox|turbo|uv|yarn|zig)$/;

/** Whether a command line runs something of the repository: a script, an entry of a list of scripts, a program in a folder of PATH. */
export function runsRepository(command: string, root: string, files: GateFiles): boolean {
  return resolveGate(command, root, files).some(
    ({ name, path }) => !path.startsWith('/') || BUILDERS.test(name),
  );
}
