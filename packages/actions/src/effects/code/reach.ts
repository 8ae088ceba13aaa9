import { isAtOrBelow, isTemporary } from 'ralph-kit/paths';
import { DOWNLOADED_MARK, HIDDEN_MARK } from '../../shell/index.ts';
import { credentialsAt } from '../credentials.ts';
import type { Effect, EffectPlace } from '../effect.ts';
import { LOCAL, networkEffect } from '../network/hosts.ts';
import { dropsData, dropsRows } from '../sql.ts';

const ASKS =
  /\bget\s*\(?\s*["']https?:|\burlopen\b|\burlretrieve\b|\bgetstore\b|\brequests\.(?:get|post)\b|\bhttpx?\.get\b|\bfetch\s*\(|(?:file_get_contents|\bcopy|\bfopen|readfile|\bmirror|\bdownload\w*)\s*\(?\s*["']https?:|\bNet::HTTP\b|\bopen-uri\b|URI\.open|LWP::|HTTP::Tiny|\baxios\b|\bgot\s*\(|DownloadFile|DownloadString/;

const ADDRESS = /https?:\/\/(?:[^/@\s"'`]*@)?(\[[^\]]*\]|[\w.-]+)/g;

function asksOutside(code: string): boolean {
  const hosts = [...code.matchAll(ADDRESS)].map(([, host = '']) => host);
  return ASKS.test(code) && (hosts.length === 0 || !hosts.every((host) => LOCAL.test(host)));
}

/** Matches code that runs an answer from the network: `exec(urlopen(…).read())`, `fetch(…).then(eval)`. */
const RUNS_ANSWER =
  /\b(?:exec|eval|execfile|instance_eval|assert|Function|runInThisContext|runInNewContext|loadstring|os\.system|subprocess\.\w+|system)\s*\(?[^;\n]{0,200}(?:urlopen|requests\.get|httpx?\.get|fetch\s*\(|file_get_contents\s*\(\s*["']https?:|Net::HTTP|URI\.open|\bget\s*\(?\s*["']https?:)|\.then\(\s*(?:eval|exec|Function)\b|\b(?:eval|exec|Function|runIn\w*Context)\s*\(\s*[A-Za-z_$][\w$.]*\s*\)|(?:urlopen|fetch|requests\.get)\b[^;\n]{0,300}(?:\beval\b|\bexec\b)/;
const SOCKETS =
  /\bsocket\b|TCPSocket|fsockopen|\/inet\/tcp\/|net\.(?:connect|createConnection|Socket)|create_connection|ztcp|require\(["'](?:node:)?net["']\)|IO::Socket|pfsockopen/i;
const CONNECTS =
  /\.connect\s*\(|create_?connection|TCPSocket|fsockopen|\/inet\/tcp\/|IO::Socket|\bcreateConnection\b/i;
const SHELLS =
  /["'`](?:\/bin\/|\/usr\/bin\/)?(?:ba|z|da|k)?sh(?: -i)?["'` ]|\/bin\/(?:ba|z)?sh|pty\.spawn|\b(?:system|exec)\s*\(?\s*(?:\$_|[a-z]\b)|popen\s*\(\s*[a-z]+\b|qx[({/]\$|`\$|\b([a-z]\w*)\s*\|&?\s*getline\b[\s\S]{0,400}\b(?!\1\b)[a-z]\w*\s*\|&?\s*getline/;
const HANDS_OVER = /dup2|STDIN|proc_open|subprocess|exec|spawn|popen|system|getline/i;
const DECODES =
  /fromCharCode|\bchr\s*\(|\bmap\s*\(\s*chr\b|rot_?13|bytes\s*\(\s*\[|\bpack\s*\(|unescape\s*\(|str_rot13|strrev|\.reverse\(\)\.join|\[::-1\]\s*\)|b64decode|decode_base64|\batob\s*\(|["']base64["']|Base64\.(?:strict_|urlsafe_)?decode|unhexlify|fromhex|codecs\.decode|zlib\.decompress|["']hex["']\s*\)|unpack\(\s*["']m/;
const RUNS_TEXT =
  /\b(?:exec|eval|os\.system|system|popen|execSync|Function|subprocess\.\w+|instance_eval|assert)\s*\(/;
const LOADS_ADDRESS =
  /\bimport\s*\(\s*["']https?:|\b(?:include|require)(?:_once)?\s*\(?\s*["']https?:|\bload(?:string)?\s*\([^;\n]{0,200}\.request\s*\(/;
/** Matches code that runs a download of another program: `eval(`curl …`)`. */
const RUNS_FETCHED =
  /\b(?:eval|exec|assert|Function|instance_eval)\b\s*\(?[^;\n]{0,120}(?:`|popen|check_output|execSync|getoutput|subprocess|system)[^;\n]{0,60}\b(?:curl|wget|nc|ncat)\b|\b(?:curl|wget|nc|ncat)\b[^;\n]{0,200}getline[\s\S]{0,200}\bsystem\s*\(/;
const ALL_VARIABLES =
  /JSON\.stringify\(\s*process\.env\s*\)|(?:str|dict|json\.dumps|repr|urlencode)\(\s*(?:dict\(\s*)?os\.environ\b|ENV\.to_(?:h|a|json)|json_encode\(\s*(?:getenv\(\)|\$_ENV)|\b(?:params|data|json|body|query|form|headers)\s*[=:]\s*(?:\{\s*(?:\*\*|\.\.\.))?\s*(?:os\.environ|process\.env)\b(?!\s*[.[])|Deno\.env\.toObject/;
/** Matches a file of keys that is read as text. Libraries that set variables from `.env` don't count. */
const READS_KEYS =
  /(?:\bopen|\bread\w*|\bslurp|file_get_contents|\bcat|\bPath)\s*\(?\s*["'`][^"'`\n]{0,200}\.(?:env|pem|npmrc|key)\b/i;
const SENDS =
  /requests\.(?:post|put|patch)|httpx\.(?:post|put)|Net::HTTP\.(?:post|put)|urlopen\s*\([^)]{0,300}\bdata\s*=|urlopen\s*\(\s*[^,()]{1,300},\s*(?!timeout|context|ca(?:file|path))\w|(?:\.|->)(?:post|put|patch)\s*\(\s*["']https?:|sendall\s*\(|(?:urlopen|requests\.get|file_get_contents|fetch)\s*\(\s*f?["']https?:[^"'\n]*["']\s*[.+]|\.storbinary\b|requests\.request\s*\(\s*["'](?:POST|PUT)|axios\.(?:post|put)|method\s*:\s*["'](?:POST|PUT)|curl_exec|http\.client|ftplib|smtplib|sendmail|fetch\s*\([^)]{0,200}\bbody\b/i;
const FORKS =
  /\bfork\s+while\b|\bwhile\s*\(?\s*(?:1|true)\s*\)?\s*[:{;]?\s*(?:os\.)?fork\b|\bfork\s*\(?\)?\s*(?:while|until)\s+(?:1|true)/i;
/** Matches signals to all processes, to process 1, or to the own process group. */
const KILLS_ALL =
  /\b(?:process\.kill|os\.kill(?:pg)?|posix_kill|Process\.kill)\s*\(\s*(?:["':]\w+["']?\s*,\s*)?(?:-?1|0)\s*[,)]|\bkill\s*\(?\s*["']?(?:9|15|KILL|TERM)["']?\s*,\s*-1\b/;
const QUERIES = /\b(?:execute(?:script|many)?|query|cursor|exec|raw|sql|prepare|run)\b\s*[(.'"`]/i;

export function reachedByCode(
  code: string,
  literals: readonly string[],
  place: EffectPlace,
): readonly Effect[] {
  const shown = code.replace(/\s+/g, ' ').slice(0, 100);
  const words = { by: 'code', shown };
  const found: Effect[] = [];
  if (
    code.includes(DOWNLOADED_MARK) ||
    LOADS_ADDRESS.test(code) ||
    RUNS_FETCHED.test(code) ||
    (ASKS.test(code) && RUNS_ANSWER.test(code))
  ) {
    found.push({ kind: 'runs_text', ...words, from: 'download' });
  } else if (code.includes(HIDDEN_MARK) || runsHidden(code))
    found.push({ kind: 'runs_text', ...words, from: 'unknown' });
  if (SOCKETS.test(code) && SHELLS.test(code) && HANDS_OVER.test(code))
    found.push({ kind: 'opens_shell', ...words });
  if (KILLS_ALL.test(code)) found.push({ kind: 'processes', ...words, which: 'all' });
  if (FORKS.test(code)) found.push({ kind: 'exhausts', ...words });
  if (QUERIES.test(code) && literals.some(dropsData))
    found.push({ kind: 'destroys', ...words, what: 'database' });
  const paths = literals
    .filter((literal) => /^(?:\/|~\/)/.test(literal) && !literal.includes('\n'))
    .map((literal) => literal.replace(/^~/, place.home ?? '~'));
  const secret = paths.find((path) => credentialsAt(path, place) === 'user');
  if (secret !== undefined) found.push({ kind: 'credentials', by: 'code', shown: secret, whose: 'user' });
  if (dropsRows(code)) found.push({ kind: 'destroys', ...words, what: 'database' });
  const hasSecrets = () =>
    secret !== undefined ||
    ALL_VARIABLES.test(code) ||
    literals
      .flatMap((literal) => literal.split(/[\s=@<]+/))
      .some((word) => credentialsAt(`${place.root}/${word}`, place) !== null);
  if (
    SENDS.test(code) ||
    CONNECTS.test(code) ||
    ((READS_KEYS.test(code) || ALL_VARIABLES.test(code)) && asksOutside(code) && hasSecrets())
  ) {
    const outside = paths.some(
      (path) =>
        !isAtOrBelow(path, place.root) &&
        !isTemporary(path) &&
        /^\/(?:etc|home|Users|root|var|srv|opt)\//.test(path),
    );
    const sends = hasSecrets() ? 'credentials' : outside ? 'file' : 'data';
    found.push(networkEffect('code', null, { direction: 'out', sends }));
  } else if (ASKS.test(code)) found.push(networkEffect('code'));
  return found;
}

/** Matches text that awk (`print | "sh"`) or Perl (`open(F, "| sh")`) gives to a shell. */
const PIPES_TO_SHELL = /\|&?\s*["'](?:\/\S*\/)?(?:ba|z|da|k)?sh\b|["']\|\s*(?:\/\S*\/)?(?:ba|z|da|k)?sh\b/;

function runsHidden(code: string): boolean {
  if (PIPES_TO_SHELL.test(code)) return true;
  if (!DECODES.test(code)) return false;
  return code.split(/[;\n]/).some((line) => DECODES.test(line) && RUNS_TEXT.test(line));
}
