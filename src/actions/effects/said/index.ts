import { fieldText, programName, type SimpleCommand } from '../../shell/index.ts';
import { programNamed } from '../catalogue/index.ts';
import type { Effect } from '../effect.ts';
import { DATABASES, databaseEffects } from './data.ts';
import { DESTROYER, DESTROYS_NAMED, MANAGER, MANAGER_DESTROYS, SURELY_DESTROYS } from './destroying-words.ts';
import { MACHINE } from './machine.ts';
import { OWN } from './own.ts';
import { processEffect } from './processes.ts';
import { PUBLISHING } from './publishing.ts';
import { SERVICES } from './services.ts';
import { byProgram, destroys, fits, isDry, publishes, type Words, wordsOf } from './words.ts';

const SAYINGS = byProgram([...SERVICES, ...MACHINE, ...PUBLISHING, ...DATABASES, ...OWN]);
/** Programs that destroy in the work tree alone, or take what follows for something else. */
const LOCAL =
  /^(?:npm|pnpm|yarn|bun|cargo|go|pip\d?|pipx|poetry|uv|pdm|pipenv|gem|bundle|composer|mix|dotnet|brew|apt|apt-get|dnf|yum|pacman|apk|snap|conda|mamba|opam|cabal|stack|rustup|nvm|asdf|code|make|ninja|cmake|ctest|jest|vitest|pytest|tmux|screen|gsettings|defaults|nx|turbo|deno|ralph|hg|svn|jj|man|tldr|grep|egrep|fgrep|rg|ag|ack|seq|test|\[|dig|curl|wget|tox|nox|mvn|gradle|php|artisan|symfony|rspec|eslint|tsc|prettier|mocha|nix|guix|hatch|rye|pixi|mise|volta|fvm|flutter|dart|cordova|ionic|ng|nest|vue|expo|next|xcrun|xargs|parallel|logger|notify-send)$/;

/** What a command says that it does to what isn't a file: databases, services, processes, the machine. */
export function saidBy(command: SimpleCommand, all: readonly SimpleCommand[]): readonly Effect[] {
  const words = wordsOf(command);
  if (words.name === '' || isDry(words)) return [];
  const ended = processEffect(command, all);
  const said = SAYINGS.get(words.name)?.find((saying) => fits(saying, words));
  return [
    ...(ended === null ? [] : [ended]),
    ...(said === undefined ? [] : [said.does(words)]),
    ...databaseEffects(command, words),
    ...(said === undefined ? unknownProgram(command, words) : []),
  ];
}

/** A program of which nothing is known, with a word that says that it destroys something. */
function unknownProgram({ argv }: SimpleCommand, words: Words): readonly Effect[] {
  const path = argv[0]?.head ?? '';
  const known = programNamed(words.name) !== undefined || SAYINGS.has(words.name) || LOCAL.test(words.name);
  if (known || path.includes('/') || words.name === 'git' || programName(argv[0]) === '') return [];
  // A text is no word of a command.
  const verbs = argv
    .slice(1)
    .map(fieldText)
    .filter((word) => !/^-|\s/.test(word))
    .join(' ');
  if (/^(?:[\w.-]+ )?publish(?:\s|$)/.test(verbs)) return [publishes(words)];
  const manages = MANAGER.test(words.name) && MANAGER_DESTROYS.test(verbs);
  return manages || SURELY_DESTROYS.test(verbs) || DESTROYS_NAMED.test(verbs) || DESTROYER.test(words.name)
    ? [destroys('remote')(words)]
    : [];
}
