import {
  exactField,
  type Field,
  fieldText,
  type Inner,
  joinWithSpaces,
  splitArguments,
} from '../../shell/index.ts';

/**
 * PowerShell as the command line of a shell that does the same to files, processes and other machines: only what a review
 * asks for, and no program that could be run.
 */

/** What a cmdlet does, as words of a shell; `null` for an option: its value is passed on as it is. */
type Cmdlet = {
  readonly as: string;
  /** Options by their beginnings, in small letters: what stands for them; `!` in front: their value goes. */
  readonly options?: Readonly<Record<string, string | null>>;
};

const PATHS = { '-path': null, '-literalpath': null, '-filepath': null } as const;
const REMOVES: Cmdlet = {
  as: 'rm',
  options: { ...PATHS, '-recurse': '-r', '-force': '-f', '-whatif': '--help' },
};
const ASKS: Cmdlet = {
  as: 'curl',
  options: {
    ...{ '-uri': null, '-source': null, '-method': '-X', '-body': '-d', '-infile': '-T', '-headers': '-H' },
    ...{ '-outfile': '-o', '-destination': '-o', '-form': '-F', '-usebasicparsing': '-s' },
  },
};
const WRITES: Cmdlet = {
  as: 'tee',
  options: { ...PATHS, '-value': '!', '-encoding': '!', '-inputobject': '!' },
};
const LISTS: Cmdlet = { as: 'ls', options: { ...PATHS } };
const COPIES: Cmdlet = {
  as: 'cp',
  options: { ...PATHS, '-destination': null, '-recurse': '-r', '-force': '-f' },
};
const MOVES: Cmdlet = {
  as: 'mv',
  options: { ...PATHS, '-destination': null, '-newname': null, '-force': '-f' },
};
const ENDS: Cmdlet = {
  as: 'pkill',
  options: { '-name': null, '-processname': null, '-id': null, '-force': '-9' },
};

const named = (names: string, cmdlet: Cmdlet) => names.split(' ').map((name) => [name, cmdlet] as const);

const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map([
  ...named('remove-item ri rm rmdir del erase rd', REMOVES),
  ...named('clear-content clc', { as: 'truncate -s 0', options: PATHS }),
  ...named('invoke-webrequest iwr invoke-restmethod irm start-bitstransfer curl wget', ASKS),
  ...named('set-content out-file add-content ac', WRITES),
  ...named('get-content gc cat type', { as: 'cat', options: PATHS }),
  ...named('get-childitem gci ls dir', LISTS),
  ...named('copy-item cpi copy cp', COPIES),
  ...named('move-item mi move mv rename-item rni ren', MOVES),
  ...named('new-item ni', {
    as: 'touch',
    options: { ...PATHS, '-name': null, '-itemtype': '!', '-value': '!' },
  }),
  ...named('invoke-expression iex', { as: 'eval', options: { '-command': null } }),
  ...named('start-process saps start', {
    as: 'eval',
    options: {
      '-filepath': null,
      '-argumentlist': null,
      '-args': null,
      '-workingdirectory': '!',
      '-windowstyle': '!',
    },
  }),
  ...named('stop-process spps kill', ENDS),
  ...named('write-output write-host echo', { as: 'echo' }),
  ...named('set-location push-location cd sl pushd', { as: 'cd', options: PATHS }),
  ...named('select-string sls', { as: 'grep', options: { ...PATHS, '-pattern': null } }),
  ...named('stop-computer restart-computer', { as: 'shutdown now' }),
  ...named('stop-service suspend-service remove-service disable-service', { as: 'systemctl stop' }),
  ...named('register-scheduledtask new-scheduledtask set-scheduledtask', { as: 'schtasks /create' }),
  ...named('format-volume clear-disk initialize-disk remove-partition remove-volume reset-physicaldisk', {
    as: 'format',
  }),
  ...named('clear-recyclebin', { as: 'trash-empty' }),
  ...named('clear-eventlog remove-eventlog', { as: 'wevtutil cl' }),
  ...named('remove-localuser remove-localgroup', { as: 'userdel' }),
  ...named('new-localuser add-localgroupmember', { as: 'useradd' }),
  ...named(
    'set-mppreference add-mppreference set-netfirewallprofile disable-netfirewallrule new-netfirewallrule',
    {
      as: 'ufw disable',
    },
  ),
  ...named('remove-itemproperty set-itemproperty new-itemproperty', { as: 'reg delete' }),
  ...named('remove-vm stop-vm', { as: 'virsh destroy' }),
]);
/** Cmdlets for what lies at a provider. */
const AT_PROVIDER = /^(?:remove|stop|clear|reset)-(?:az|s3|ec2|rds|ddb|lm|cfn|iam|eks|ecs|gce|gcs)\w+$/;
/** Names that only PowerShell knows. */
const CMDLET =
  /^(?:(?:Remove|Clear|Invoke|Set|Get|Start|Stop|Format|Copy|Move|Out|Add|Restart|Initialize|Reset|New|Rename|Register|Disable|Suspend)-[A-Z]\w+|iwr|irm|iex|ri|gci|clc|saps|spps)$/i;

/** The texts that `pwsh` is given, as command lines of a shell. */
export function powerShellCommands(name: string, args: readonly Field[]): readonly Inner[] {
  if (CMDLET.test(name)) return cmdletCommands(name, args);
  if (!/^(?:pwsh|powershell)(?:-preview)?$/.test(name)) return [];
  const at = args.findIndex(({ head }) => /^-(?:c|co\w*|e|ec|enc\w*|f|fi\w*)$/i.test(head));
  const option = args[at]?.head.toLowerCase() ?? '';
  const rest = at < 0 ? operandsOf(args) : args.slice(at + 1);
  const [first] = rest;
  if (/^-f/.test(option) || (at < 0 && /\.ps1$/i.test(first?.head ?? ''))) return [];
  if (first === undefined || first.head === '-') return [{ kind: 'fed', read: shellText }];
  const text = fieldText(joinWithSpaces(rest));
  const decoded = /^-e/.test(option) ? Buffer.from(fieldText(first), 'base64').toString('utf16le') : text;
  return [{ kind: 'script', text: exactField(shellText(decoded)) }];
}

/** A cmdlet that a shell was given. */
function cmdletCommands(name: string, args: readonly Field[]): readonly Inner[] {
  if (args.length === 0 && /^(?:iex|Invoke-Expression)$/i.test(name))
    return [{ kind: 'fed', read: shellText }];
  const words = args
    .map(fieldText)
    .map((each) => (/[\s;|(){}]/.test(each) ? `'${each.replaceAll("'", "''")}'` : each));
  return [{ kind: 'script', text: exactField(shellText([name, ...words].join(' '))) }];
}

function operandsOf(args: readonly Field[]): readonly Field[] {
  return splitArguments(args, [
    '-ExecutionPolicy',
    '-ep',
    '-ex',
    '-WorkingDirectory',
    '-wd',
    '-WindowStyle',
    '-w',
  ]).operands;
}

const FOLDERS: Readonly<Record<string, string>> = {
  ...{
    userprofile: '$HOME',
    homepath: '$HOME',
    home: '$HOME',
    temp: '/tmp',
    tmp: '/tmp',
    systemdrive: '/C:',
  },
  ...{
    systemroot: '/C:/Windows',
    windir: '/C:/Windows',
    programfiles: '/C:/Program',
    programdata: '/C:/ProgramData',
  },
  ...{ appdata: '$HOME/AppData', localappdata: '$HOME/AppData', pwd: '$PWD' },
};

/** The command line of a shell that does the same. */
export function shellText(powershell: string): string {
  return statements(withCalls(powershell)).map(pipeline).join('\n');
}

/** Methods of .NET, as the cmdlets that do the same. */
function withCalls(text: string): string {
  return text
    .replace(/`\r?\n/g, ' ')
    .replace(
      /\(\s*New-Object\s+(?:System\.)?Net\.WebClient\s*\)|\[(?:System\.)?Net\.WebClient\]::new\(\)/gi,
      '\uE007',
    )
    .replace(/(?:\uE007|\$\w+)\.Download(?:String|Data)\(([^()]*)\)/gi, '(irm $1)')
    .replace(/(?:\uE007|\$\w+)\.DownloadFile\(([^(),]*),([^()]*)\)/gi, 'iwr $1 -OutFile $2')
    .replace(/(?:\uE007|\$\w+)\.Upload(?:File|String|Data)\(([^(),]*),([^()]*)\)/gi, 'iwr $1 -InFile $2')
    .replace(/\[(?:System\.)?IO\.(?:File|Directory)\]::Delete\(([^(),]*)[^()]*\)/gi, 'ri -r $1')
    .replace(/\[(?:System\.)?IO\.File\]::ReadAll\w+\(([^()]*)\)/gi, '(gc $1)')
    .replace(/\[(?:System\.)?IO\.File\]::WriteAll\w+\(([^(),]*)[^()]*\)/gi, 'Set-Content $1')
    .replace(/\[(?:System\.)?Diagnostics\.Process\]::Start\(([^()]*)\)/gi, 'saps $1')
    .replace(/\[scriptblock\]::Create\(/gi, 'iex (');
}

/** Quoted texts, blocks and brackets stay whole. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"`]|`[\s\S]|"")*"|\$\(|@\(|\$env:\w+|\$\{?\w+\}?(?:\.\w+)*|[(){}|;\n]|&&|\|\||&|,|[^\s'"(){}|;,&\n$]+|\$/g;

function statements(text: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^[$@]?\($/.test(token)) depth += 1;
    if (token === ')') depth -= 1;
    const last = found.at(-1) ?? [];
    // The block of `% { … }` gets what the stages before it find.
    if (token === '{' && depth === 0 && EACH.test(last.at(-1) ?? '')) last.push('|');
    else if (depth === 0 && /^(?:;|\n|&&|\|\||[{}])$/.test(token)) found.push([]);
    else last.push(token);
  }
  return found.filter((tokens) => tokens.length > 0);
}

const EACH = /^(?:foreach-object|foreach|%)$/i;
/** Stages that pass on what they get. */
const PASSES =
  /^(?:where-object|where|\?|select-object|select|sort-object|sort|foreach-object|foreach|%|tee-object)$/i;

function pipeline(tokens: readonly string[]): string {
  const stages: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[$@]?\($/.test(token)) depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) stages.push([]);
    else stages.at(-1)?.push(token);
  }
  const written: string[] = [];
  let found: string | null = null;
  for (const stage of stages) {
    const name = (stage[0] ?? '').toLowerCase();
    if (PASSES.test(name)) continue;
    if (/^(?:iex|invoke-expression)$/.test(name) && written.length > 0) written.push('sh');
    else written.push(command(stage, found, written.length > 0));
    if (CMDLETS.get(name) === LISTS) found = listed(stage);
  }
  return written.join(' | ');
}

/** What a listing finds, as a pattern. */
function listed(stage: readonly string[]): string {
  const { words, patterns } = read(stage.slice(1), LISTS.options ?? {}, null);
  const folder = words.find((word) => !word.startsWith('-')) ?? '.';
  return `${folder}/${patterns[0] ?? '*'}`;
}

function command(tokens: readonly string[], found: string | null, piped: boolean): string {
  const [first = '', ...rest] = tokens;
  if (first === '&' || first === '.') return command(rest, found, piped);
  const [, variable] = /^\$(\w+)$/.exec(first) ?? [];
  if (variable !== undefined && /^[+]?=$/.test(rest[0] ?? '')) {
    const value = command(rest.slice(1), found, piped);
    return /^["'/$\w.:-]+$/.test(rest[1] ?? '') && rest.length === 2
      ? `${variable}=${word(rest[1] ?? '')}`
      : `${variable}="$(${value})"`;
  }
  if (first === '(' || first === '$(') {
    const end = rest.lastIndexOf(')');
    return statements(rest.slice(0, end < 0 ? undefined : end).join(' '))
      .map(pipeline)
      .join('; ');
  }
  const name = unquoted(first).toLowerCase();
  if (AT_PROVIDER.test(name)) return `az ${name.replace(/^\w+-/, '')} delete`;
  const cmdlet = CMDLETS.get(name);
  // Of others only what stands in their brackets is of interest.
  if (cmdlet === undefined)
    return [CMDLET.test(name) ? ':' : word(first), ...read(rest, {}, null).words].join(' ');
  const { words } = read(rest, cmdlet.options ?? {}, piped ? found : null);
  const operands = words.filter((each) => !each.startsWith('-'));
  // What it removes comes from the stage before it.
  const fed = cmdlet === REMOVES && operands.length === 0 ? [found ?? '"$(cat)"'] : [];
  return [cmdlet.as, ...words, ...fed].join(' ');
}

/** Options by whose value a listing is narrowed. */
const NARROWS = /^-(?:filter|include)$/i;
const IGNORED =
  /^-(?:exclude|erroraction|ea|verbose|confirm|depth|contenttype|useragent|timeoutsec)(?::.*)?$/i;

function read(tokens: readonly string[], options: NonNullable<Cmdlet['options']>, found: string | null) {
  const words: string[] = [];
  const patterns: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === ',' || token === '@(') continue;
    if (/^\$?\($/.test(token)) {
      const end = closing(tokens, at);
      words.push(`"$(${command(tokens.slice(at, end + 1), found, false)})"`);
      at = end;
    } else if (NARROWS.test(token)) {
      patterns.push(unquoted(tokens[at + 1] ?? ''));
      at += 1;
    } else if (IGNORED.test(token)) at += token.includes(':') || tokens[at + 1]?.startsWith('-') ? 0 : 1;
    else if (/^-[A-Za-z]/.test(token)) {
      const [name] = Object.keys(options).filter((each) => each.startsWith(token.toLowerCase()));
      const stands = name === undefined ? token : options[name];
      if (stands === '!') at += 1;
      else if (stands !== null && stands !== undefined) words.push(stands);
    } else if (/^\$(?:_|PSItem)\b/i.test(token)) words.push(found ?? '"$(cat)"');
    else words.push(word(token));
  }
  return { words, patterns };
}

function closing(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (/^[$@]?\($/.test(tokens[at] ?? '')) depth += 1;
    if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}

/** A word for a shell: paths with slashes, and variables under the names that they have there. */
function word(token: string): string {
  const single = token.startsWith("'");
  const plain = unquoted(token)
    .replace(/\\/g, '/')
    .replace(/^([A-Za-z]):(?!\/\/)\/?/, '/$1:/');
  if (single) return `'${plain.replaceAll("'", `'\\''`)}'`;
  const signs = plain.replace(/["`]/g, '\\$&').replace(/\$(?:env:)?(\w+)/gi, (_whole, name: string) => {
    const folder = FOLDERS[name.toLowerCase()];
    return folder ?? `\${${name}}`;
  });
  // Signs stand for names where nothing is quoted.
  return /^[\w./:*?~$={}@%+-]+$/.test(signs) ? signs : `"${signs}"`;
}

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (token.startsWith('"'))
    return token.slice(1, -1).replace(/`([\s\S])|""/g, (_whole, sign?: string) => sign ?? '"');
  return token;
}
