import { counted } from '../../../lib/counted.ts';
import { check, error, ok, warning } from '../check.ts';
import type { ConfigFiles } from '../scene.ts';

export const configCheck = check<ConfigFiles>({
  gather: ({ configFiles }) => configFiles,
  judge: ({ problems, warnings, entries, projectFile }) => {
    const at = ({ source, line }: { source: string; line: number | null }) =>
      `${source}${line === null ? '' : `:${line}`}`;
    const errors = problems.map((problem) => {
      const fix = `Correct it in ${at(problem)}; docs/CONFIGURATION.md lists all keys.`;
      return error('config.problem', at(problem), problem.message, fix);
    });
    // The settings of ralph-gold have a check of their own.
    const others = warnings
      .filter(({ message }) => !message.includes('of ralph-gold'))
      .map((one) => warning('config.warning', at(one), one.message, `Remove or correct it in ${at(one)}.`));
    if (errors.length > 0) return [...errors, ...others];
    const own = entries.filter(({ layer }) => layer !== 'built-in').length;
    const title = projectFile ? '.ralph/ralph.toml' : 'no .ralph/ralph.toml: built-in defaults';
    const detail = `${counted(own, 'value')} of your own; ralph doctor --config shows all`;
    return [ok('config.read', title, detail), ...others];
  },
});
