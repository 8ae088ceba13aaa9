import { fieldText, programName, type SimpleCommand } from '../../shell/index.ts';
import { programNamed } from '../catalogue/index.ts';
import type { Effect } from '../effect.ts';
import { byProgram, destroys, fits, isDry, publishes, type Words, wordsOf } from './call-words.ts';
import { DATABASES, databaseEffects } from './data.ts';
import { LOOP } from './loop.ts';
import { MACHINE } from './machine.ts';
import { processEffect } from './processes.ts';
import { PUBLISHING } from './publishing.ts';
import { SERVICES } from './services.ts';

const WORD_RULES = byProgram([...SERVICES, ...MACHINE, ...PUBLISHING, ...DATABASES, ...LOOP]);
/** Programs that destroy only within the work tree, or whose operands aren't verbs. */
const LOCAL =
  /^(?:npm|pnpm|yarn|bun|cargo|go|pip\d?|pipx|poetry|uv|pdm|pipenv|gem|bundle|composer|mix|dotnet|brew|apt|apt-get|dnf|yum|pacman|apk|snap|conda|mamba|opam|cabal|stack|rustup|nvm|asdf|code|make|ninja|cmake|ctest|jest|vitest|pytest|tmux|screen|gsettings|defaults|nx|turbo|deno|ralph|hg|svn|jj|man|tldr|grep|egrep|fgrep|rg|ag|ack|seq|test|\[|dig|curl|wget|tox|nox|mvn|gradle|php|artisan|symfony|rspec|eslint|tsc|prettier|mocha|nix|guix|hatch|rye|pixi|mise|volta|fvm|flutter|dart|cordova|ionic|ng|nest|vue|expo|next|xcrun|xargs|parallel|logger|notify-send)$/;

const SURELY_DESTROYS =
  /^(?:[\w.:-]+ ){0,2}(?:[\w.:-]*[.:_-])?(?:delete|destroy|purge|terminate|drop|wipe|truncate|nuke|teardown|deregister|unregister|deprovision|decommission|undeploy|deleteall|destroyall|removeall)(?:[:_-][\w:-]*)?(?=\s|$)/i;

/** Names of programs that destroy something without any verb: `k3s-uninstall.sh`. */
const DESTROYER = /(?:^|[-_.])(?:uninstall|destroy|purge|wipe|nuke|teardown)(?:[-_.]\w+)?$/i;

/** Verbs that destroy something only after the name of a thing: `orb unlist`, `plugins remove`. Alone they say too little. */
const DESTROYS_NAMED =
  /^(?!cache|caches)[\w.:-]+ (?:[\w.:-]+ )?(?:remove|rm|revoke|reset|unlist|uninstall|flush|evict|expire)(?=\s|$)/i;

const MANAGER = /(?:ctl|adm|admin|[-_.]cli|-plugins?)$/i;
const MANAGER_DESTROYS =
  /^(?:remove|rm|revoke|reset|unlist|uninstall|flush|evict|expire|disable|clear|drop|unregister)(?:[:_-][\w:-]*)?(?=\s|$)/i;

export function wordEffects(command: SimpleCommand, all: readonly SimpleCommand[]): readonly Effect[] {
  const words = wordsOf(command);
  if (words.name === '' || isDry(words)) return [];
  const ended = processEffect(command, all);
  const found = WORD_RULES.get(words.name)?.find((rule) => fits(rule, words));
  return [
    ...(ended === null ? [] : [ended]),
    ...(found === undefined ? [] : [found.does(words)]),
    ...databaseEffects(command, words),
    ...(found === undefined ? unknownProgram(command, words) : []),
  ];
}

function unknownProgram({ argv }: SimpleCommand, words: Words): readonly Effect[] {
  const path = argv[0]?.head ?? '';
  const known =
    programNamed(words.name) !== undefined || WORD_RULES.has(words.name) || LOCAL.test(words.name);
  if (known || path.includes('/') || words.name === 'git' || programName(argv[0]) === '') return [];
  // A text with blanks isn't a verb.
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
