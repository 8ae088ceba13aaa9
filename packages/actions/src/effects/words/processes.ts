import { AGENT_PROGRAMS } from 'ralph-agents/known';
import { type Field, fieldText, programName, type SimpleCommand, splitArguments } from '../../shell/index.ts';
import type { Effect } from '../effect.ts';
import { type Words, wordsOf } from './call-words.ts';

const BROAD =
  /^(?:|\.|\.\*|\*|node|nodejs|deno|bun|npm|npx|yarn|python[\d.]*|ruby|java|php(?:-fpm)?|perl|beam\.smp|dotnet|go|cargo|bash|sh|zsh|dash|ssh|sshd|code|electron|chrome|chromium|firefox|docker\w*|containerd|postgres|mysqld|mariadbd|redis-server|mongod|nginx|apache2|httpd|systemd|init|tmux|screen|ralph|Finder|Dock)$/i;
/** Returns whether programs of others have such a name, too. */
function isBroad(name: string): boolean {
  return BROAD.test(name) || AGENT_PROGRAMS.includes(name.toLowerCase());
}

const SIGNAL = /^-(?:\d+|[A-Z]+\d*|s|n)$|^--signal/;

type Which = Extract<Effect, { kind: 'processes' }>['which'];

export function processEffect(command: SimpleCommand, all: readonly SimpleCommand[]): Effect | null {
  const words = wordsOf(command);
  const which = endedBy(words, all);
  return which === null ? null : { kind: 'processes', by: words.name, shown: words.shown, which };
}

function endedBy({ name, line, args }: Words, all: readonly SimpleCommand[]): Which | null {
  switch (name) {
    case 'kill':
      return killed(args, all);
    case 'pkill':
    case 'killall':
    case 'skill':
      return /(?:^|\s)-(?:0|l|-list|-help|-version)(?:\s|$)/.test(line) ? null : named(args);
    case 'killall5':
    case 'xkill':
      return 'all';
    case 'fuser':
      return /(?:^|\s)-\w*k/.test(line) ? (/\d+\/(?:tcp|udp)/.test(line) ? 'ids' : 'all') : null;
    default:
      return null;
  }
}

function named(args: readonly Field[]): Which {
  let users = false;
  const names: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const text = fieldText(args[at] as Field);
    if (/^-(?:u|U|g|G|t|-user|-euid|-uid)/.test(text)) {
      users = true;
      if (/^-\w$/.test(text)) at += 1;
    } else if (/^-[sn]$|^--signal$/.test(text)) at += 1;
    else if (!text.startsWith('-')) names.push(text);
  }
  if (names.length === 0 || names.some((each) => isBroad(each))) return 'all';
  return users && names.length === 0 ? 'all' : 'name';
}

function killed(args: readonly Field[], all: readonly SimpleCommand[]): Which | null {
  const texts = args.map(fieldText);
  if (texts.some((text) => /^-(?:l|L|0)$|^--(?:list|table|help)$/.test(text))) return null;
  const named = texts.filter((text, at) => text !== '--' && !(SIGNAL.test(text) && at === 0));
  const given = /^-(?:s|n)$/.test(texts[0] ?? '') ? named.slice(1) : named;
  if (given.some((text) => text === '-1' || text === '0' || text === '1')) return 'all';
  if (given.every((text) => /^(?:%\S*|\$!|\uE001)$/.test(text))) return 'own';
  if (given.every((text) => /^-?\d+$|^%/.test(text))) return 'ids';
  return fromBroadSearch(all) ? 'all' : 'ids';
}

/** Returns whether the numbers come from a search by a broad name: `kill $(pgrep -f python)`, `ps aux | grep node | … | xargs kill`. */
function fromBroadSearch(all: readonly SimpleCommand[]): boolean {
  const lists = all.some(({ argv }) => programName(argv[0]) === 'ps');
  const searches = all.some(({ argv }) => /^(?:[ef]?grep|rg|[gm]?awk|sed)$/.test(programName(argv[0])));
  const everything = all.some(
    ({ argv }) =>
      programName(argv[0]) === 'ps' && argv.slice(1).some(({ head }) => /^-?[a-z]*[eaxA]/.test(head)),
  );
  if (everything && !searches) return true;
  return all.some(({ argv }) => {
    const name = programName(argv[0]);
    const args = argv.slice(1);
    if (name === 'pgrep' || name === 'pidof') return named(args) === 'all';
    if (name === 'lsof') return args.some((arg) => arg.head === '-u');
    if (lists && /^[gm]?awk$/.test(name)) {
      const [, word] =
        /^\s*\$?\d*\s*~?\s*\/([^/]*)\//.exec(
          splitArguments(args, ['-F', '-v']).operands.map(fieldText)[0] ?? '',
        ) ?? [];
      return word !== undefined && isBroad(word.replace(/^\[(\w)\]/, '$1'));
    }
    const sought = args.filter((arg) => !arg.head.startsWith('-')).map(fieldText);
    return (
      lists &&
      /^(?:e|f)?grep$|^rg$/.test(name) &&
      sought.some((text) => isBroad(text.replace(/^\[(\w)\]/, '$1')))
    );
  });
}
