import { gateSpecs } from '../../../config/index.ts';
import { check, error, findProgram, info, ok, warning } from '../check.ts';
import type { Scene } from '../scene.ts';

/** Commands that are built into the shell, so they aren't found on the PATH. */
const SHELL_WORDS = new Set(
  '! . : [ [[ alias bg break case cd command continue eval exec exit export false fg for function getopts hash if jobs kill local printf pwd read readonly return set shift source test then time times trap true type ulimit umask unset until wait while { ('.split(
    ' ',
  ),
);

export const gatesCheck = check({
  gather: ({ root, config }: Pick<Scene, 'root' | 'config'>) =>
    gateSpecs(config).map(({ name, run, onMissing, required }) => {
      const tool = toolOf(run);
      return {
        name,
        run,
        tool,
        found: tool === null || findProgram(tool, root) !== null,
        onMissing: required ? 'fail' : onMissing,
      };
    }),
  judge: (gates) => {
    if (gates.length === 0) {
      const detail = 'only the work tree and the claims of the agent are judged';
      return [info('gates.none', 'no gates', detail, 'Name your checks: [gates] commands = ["npm test"]')];
    }
    return gates.map(({ name, run, tool, found, onMissing }) => {
      const id = 'gates.tool';
      if (tool === null) return ok(id, name, run === name ? '' : run);
      if (found) return ok(id, name, run === name ? `${tool} is installed` : run);
      const detail = `${tool} isn't installed (${run})`;
      const fix = `Install ${tool}, or set on_missing = "warn" or "skip" for this gate if it isn't required.`;
      return onMissing === 'fail'
        ? error(id, name, detail, fix)
        : (onMissing === 'skip' ? info : warning)(id, name, `${detail}; on_missing = "${onMissing}"`, fix);
    });
  },
});

/** Returns the program of a command; `null`: it is built into the shell, computed, or the command sets the PATH. */
export function toolOf(run: string): string | null {
  const words = run.trim().split(/\s+/);
  if (words.some((word) => word.startsWith('PATH='))) return null;
  const word = words.find((one) => !/^[A-Za-z_]\w*=/.test(one)) ?? '';
  if (word === '' || SHELL_WORDS.has(word) || /[$`"'\\*?<>|&;(){}~]/.test(word)) return null;
  return word;
}
