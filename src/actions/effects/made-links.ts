import { below, isAtOrBelow, nameOf, parentOf, placedPath } from '../../lib/paths.ts';
import { fieldText, hasFlag, programName, type SimpleCommand, splitArguments } from '../shell/index.ts';
import type { EffectPlace } from './effect.ts';

/** The place as it is once the links are there that the commands make: `ln -s /etc x; rm -rf x/y`. */
export function withMadeLinks(commands: readonly SimpleCommand[], place: EffectPlace): EffectPlace {
  const links = commands.flatMap((command) => madeLinks(command, place));
  if (links.length === 0) return place;
  const realPath = (path: string): string => {
    const link = links.find((each) => isAtOrBelow(path, each.at));
    return place.realPath(link === undefined ? path : link.to + path.slice(link.at.length));
  };
  return { ...place, realPath };
}

function madeLinks({ argv, cwds }: SimpleCommand, place: EffectPlace) {
  if (programName(argv[0]) !== 'ln') return [];
  const { flags, values, operands } = splitArguments(argv.slice(1), ['-S', '-t', '--target-directory']);
  const into = values.get('-t')?.[0] ?? values.get('--target-directory')?.[0];
  if (!hasFlag(flags, '-s', '--symbolic') || into !== undefined || operands.length > 2) return [];
  const [target, name] = operands.map(fieldText);
  if (target === undefined) return [];
  return cwds.flatMap((cwd) => {
    const link = name ?? nameOf(target.replace(/\/+$/, ''));
    const at = placedPath(link, cwd ?? '/', place.realPath, false);
    // In a folder that is there, the link lies in it; where there is none, it is the link itself.
    return [at, below(at, nameOf(target))].map((each) => ({
      at: each,
      to: placedPath(target, parentOf(each), place.realPath, true),
    }));
  });
}
