import {
  DOWNLOADED_MARK,
  type Field,
  fieldText,
  type Programs,
  programName,
  SECRET_MARK,
} from '../shell/index.ts';
import { showsEnvironment, whoseCredentials } from './credentials.ts';
import type { EffectPlace } from './effect.ts';
import { runsVariable } from './environment.ts';
import { innerCommands } from './inner-commands.ts';
import { producedBy } from './produced.ts';

const FETCHES =
  /^(?:curl|wget|fetch|lynx|links|w3m|aria2c|https?|httpie|xh|nc|ncat|netcat|telnet|socat|ssh|ftp|tftp|dig|nslookup|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)$/i;

const PRINTS_FETCHED: ReadonlyMap<string, RegExp> = new Map([
  ['openssl', /^s_client\b/],
  ['aws', /\bs3 cp \S+ -(?:\s|$)|\bs3api get-object\b.*\/dev\/stdout/],
  ['gsutil', /^(?:-\S+ )*(?:cat|cp \S+ -$)/],
  ['gcloud', /\bstorage cat\b/],
  ['rclone', /^cat\b/],
  ['mc', /^(?:cat|pipe)\b/],
  ['s3cmd', /^get \S+ -$/],
  ['gh', /^(?:api|gist view|release download\b.*(?:-O|--output)[= ]?-)/],
  ['glab', /^api\b/],
  ['svn', /^cat\b/],
  ['git', /^archive\b.*--remote/],
  ['sftp', /\/dev\/stdout/],
  ['lwp-request', /./],
  ['GET', /./],
  ['axel', /-o ?-/],
]);

export function programsFor(place: EffectPlace): Programs {
  return {
    inner: innerCommands,
    prints: (argv) => printsOf(argv, place),
    produces: producedBy,
    textAt: (path) => {
      const text = place.writtenText(path);
      // A text with a null character is a compiled program, not a script.
      return text === null || text.slice(0, 4096).includes('\0') ? null : text;
    },
    runsVariable,
  };
}

export const BARE_PROGRAMS: Programs = {
  inner: innerCommands,
  prints: () => '',
  produces: () => [],
  textAt: () => null,
  runsVariable: () => false,
};

function printsOf(argv: readonly Field[], place: EffectPlace): string {
  const name = programName(argv[0]);
  const words = argv.slice(1).map(fieldText).join(' ').slice(0, 2000);
  const talks = FETCHES.test(name) || PRINTS_FETCHED.get(name)?.test(words) === true;
  const fetched = talks ? DOWNLOADED_MARK : '';
  const secret =
    showsEnvironment(argv) ||
    (SEARCHES.test(name) && SEARCHED_KEYS.test(words)) ||
    argv.slice(1).some((arg) => holdsSecrets(arg, place));
  return fetched + (secret ? SECRET_MARK : '');
}

/** A search for keys by their form or name prints them. */
const SEARCHES = /^(?:[ef]?grep|rg|ag|ack)$/;
const SEARCHED_KEYS =
  /\bA[KS]IA|\bgh[pousr]_|\bsk_live|\bxox[bp]|PRIVATE KEY|(?:^|[_\W])(?:secrets?|passw(?:or)?d|passwd|api_?keys?|access_?keys?|(?:access|auth|api|bearer)[_-]?tokens?)(?=$|[_\W])/i;

function holdsSecrets(arg: Field, place: EffectPlace): boolean {
  const head = arg.head.replace(/^--?[\w-]+=/, '').replace(/^(?:if=|@)/, '');
  return whoseCredentials({ ...arg, head }, { cwds: [place.root] }, place) !== null || isPrivate(head, place);
}

/** Returns whether a path is a home folder or a parent of it, which has keys in it somewhere, or a list of the machine's users. */
function isPrivate(path: string, { home }: EffectPlace): boolean {
  const plain = path.replace(/\/+$/, '');
  return (
    plain !== '' &&
    (plain === home ||
      plain === `${home}/.config` ||
      /^\/(?:home|Users)(?:\/[^/]+)?$|^\/root$|^\/etc(?:\/(?:passwd|group))?$/.test(plain))
  );
}
