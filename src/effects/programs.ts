import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  HIDDEN_MARK,
  hasFlag,
  type Produced,
  type Programs,
  programName,
  SECRET_MARK,
  splitArguments,
} from '../shell/index.ts';
import { under } from './catalogue/program.ts';
import { showsEnvironment, whoseCredentials } from './credentials.ts';
import type { EffectPlace } from './effect.ts';
import { runsVariable } from './environment.ts';
import { innerCommands } from './inner-commands.ts';

/** Programs that print what they get from elsewhere. */
const FETCHES =
  /^(?:curl|wget|fetch|lynx|links|w3m|aria2c|https?|xh|nc|ncat|netcat|telnet|socat|ssh|ftp|tftp|dig|nslookup)$/;

/** What the shell has to know of programs. */
export function programsFor(place: EffectPlace): Programs {
  return {
    inner: innerCommands,
    prints: (argv) => printsOf(argv, place),
    produces: producedBy,
    textAt: (path) => {
      const text = place.writtenText(path);
      // A compiled program is no script.
      return text === null || text.slice(0, 4096).includes('\0') ? null : text;
    },
    runsVariable,
  };
}

/** What is known of programs by their names alone. */
export const BARE_PROGRAMS: Programs = {
  inner: innerCommands,
  prints: () => '',
  produces: () => [],
  textAt: () => null,
  runsVariable: () => false,
};

function printsOf(argv: readonly Field[], place: EffectPlace): string {
  const name = programName(argv[0]);
  const talks = FETCHES.test(name) || (name === 'openssl' && argv[1]?.head === 's_client');
  const fetched = talks ? DOWNLOADED_MARK : '';
  const secret = showsEnvironment(argv) || argv.slice(1).some((arg) => holdsSecrets(arg, place));
  return fetched + (secret ? SECRET_MARK : '');
}

function holdsSecrets(arg: Field, place: EffectPlace): boolean {
  const head = arg.head.replace(/^--?[\w-]+=/, '').replace(/^(?:if=|@)/, '');
  return whoseCredentials({ ...arg, head }, { cwds: [place.root] }, place) !== null || isPrivate(head, place);
}

/** A home folder, or the folder of all of them: somewhere in it there are keys. So is who uses the machine. */
function isPrivate(path: string, { home }: EffectPlace): boolean {
  const plain = path.replace(/\/+$/, '');
  return (
    plain !== '' &&
    (plain === home ||
      plain === `${home}/.config` ||
      /^\/(?:home|Users)(?:\/[^/]+)?$|^\/root$|^\/etc(?:\/(?:passwd|group))?$/.test(plain))
  );
}

const WGET_OUTPUT = ['-O', '--output-document', '-P', '--directory-prefix', '-U', '--header'];
const CURL_OUTPUT = ['-o', '--output', '-O', '--output-dir'];

/** What a command leaves in files: downloads, and copies of what is known. */
function producedBy(argv: readonly Field[]): readonly Produced[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  const downloaded = (target: Field): Produced => ({ target, of: { text: `\uE000${DOWNLOADED_MARK}` } });
  switch (name) {
    case 'curl': {
      const { flags, values, operands } = splitArguments(
        args,
        CURL_OUTPUT.filter((each) => each !== '-O'),
      );
      const named = [...(values.get('-o') ?? []), ...(values.get('--output') ?? [])];
      const remote = hasFlag(flags, '-O', '--remote-name') ? operands.map(lastPart) : [];
      const [folder] = values.get('--output-dir') ?? [];
      return [...named, ...remote].map((file) =>
        downloaded(folder === undefined ? file : under(folder, file)),
      );
    }
    case 'wget': {
      const { values, operands } = splitArguments(args, WGET_OUTPUT);
      const named = [...(values.get('-O') ?? []), ...(values.get('--output-document') ?? [])];
      const [folder] = [...(values.get('-P') ?? []), ...(values.get('--directory-prefix') ?? [])];
      const kept = operands.map(lastPart).map((file) => (folder === undefined ? file : under(folder, file)));
      return (named.length > 0 ? named : kept).map(downloaded);
    }
    case 'aria2c':
    case 'fetch':
      return splitArguments(args, ['-o']).operands.map(lastPart).map(downloaded);
    case 'git': {
      const words = args.map(fieldText);
      if (words[0] !== 'clone') return [];
      const [url, folder] = splitArguments(args.slice(1), ['-b', '--branch', '--depth']).operands;
      if (url === undefined || !/:|^git@/.test(url.head)) return [];
      const target = folder ?? exactField(fieldText(lastPart(url)).replace(/\.git$/, ''));
      return [downloaded({ ...target, head: `${target.head.replace(/\/$/, '')}/` })];
    }
    case 'mkfifo':
      return args.map((target) => ({ target, of: { text: `\uE000${HIDDEN_MARK}` } }));
    case 'cp':
    case 'mv':
    case 'ln': {
      const { operands } = splitArguments(args);
      const [copy, target] = operands;
      return operands.length === 2 && copy !== undefined && target !== undefined
        ? [{ target, of: { copy } }]
        : [];
    }
    case 'openssl':
    case 'gpg': {
      const { values, operands } = splitArguments(args, ['-in', '-out', '-o', '--output', '-k', '-pass']);
      const target = [
        ...(values.get('-out') ?? []),
        ...(values.get('-o') ?? []),
        ...(values.get('--output') ?? []),
      ][0];
      const copy = values.get('-in')?.[0] ?? operands.at(-1);
      if (target === undefined || copy === undefined) return [];
      return [
        { target, of: { copy } },
        { target, of: { text: secretIn(copy) } },
      ];
    }
    default:
      return [];
  }
}

/** A copy of credentials in another form holds them as well. */
function secretIn(copy: Field): string {
  return /\.env|id_\w+|credentials|\.pem|secret/.test(copy.head) ? `\uE000${SECRET_MARK}` : '\uE000';
}

/** The file that an address ends in. */
function lastPart(address: Field): Field {
  const path = address.head.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return exactField(path.slice(path.lastIndexOf('/') + 1));
}
