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

/** Programs that print what they get from elsewhere. */
const FETCHES =
  /^(?:curl|wget|fetch|lynx|links|w3m|aria2c|https?|httpie|xh|nc|ncat|netcat|telnet|socat|ssh|ftp|tftp|dig|nslookup|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)$/i;

/** Others that do so with these words. */
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
  const words = argv.slice(1).map(fieldText).join(' ').slice(0, 2000);
  const talks = FETCHES.test(name) || PRINTS_FETCHED.get(name)?.test(words) === true;
  const fetched = talks ? DOWNLOADED_MARK : '';
  const secret =
    showsEnvironment(argv) ||
    (SEARCHES.test(name) && SEARCHED_KEYS.test(words)) ||
    argv.slice(1).some((arg) => holdsSecrets(arg, place));
  return fetched + (secret ? SECRET_MARK : '');
}

/** Who looks for keys by what they look like, or are called, prints them. */
const SEARCHES = /^(?:[ef]?grep|rg|ag|ack)$/;
const SEARCHED_KEYS =
  /\bA[KS]IA|\bgh[pousr]_|\bsk_live|\bxox[bp]|PRIVATE KEY|(?:^|[_\W])(?:secrets?|passw(?:or)?d|passwd|api_?keys?|access_?keys?|(?:access|auth|api|bearer)[_-]?tokens?)(?=$|[_\W])/i;

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
