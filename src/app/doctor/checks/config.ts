import { counted } from 'ralph-kit/counted';
import { isNewName } from '../../../config/index.ts';
import { check, error, info, ok, warning } from '../check.ts';
import type { ConfigFiles } from '../scene.ts';

export const configCheck = check<ConfigFiles>({
  gather: ({ configFiles }) => configFiles,
  judge: ({ problems, unknownKeys, warnings, entries, projectFile }) => {
    const at = ({ source, line }: { source: string; line: number | null }) =>
      `${source}${line === null ? '' : `:${line}`}`;
    const errors = problems.map((problem) => {
      const fix = `Correct it in ${at(problem)}; docs/CONFIGURATION.md lists all keys.`;
      return error('config.problem', at(problem), problem.message, fix);
    });
    const unknown = unknownKeys.map((one) => {
      const fix = `Correct it in ${at(one)}: ralph run doesn't start with it.`;
      return warning('config.unknown_key', at(one), one.message, fix);
    });
    const others = warnings.map((one) =>
      isNewName(one.message)
        ? info('config.new_name', at(one), one.message, 'It has its effect; rename it when you like.')
        : warning('config.warning', at(one), one.message, `Remove or correct it in ${at(one)}.`),
    );
    if (errors.length > 0) return errors;
    const own = entries.filter(({ layer }) => layer !== 'built-in').length;
    const title = projectFile ? '.ralph/ralph.toml' : 'no .ralph/ralph.toml: built-in defaults';
    const detail = `${counted(own, 'value')} of your own; all of them: ralph doctor --config`;
    return [ok('config.read', title, detail), ...unknown, ...others];
  },
});
