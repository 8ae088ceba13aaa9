import { type Field, fieldText, programName, type SimpleCommand, shownField } from '../shell/index.ts';
import type { Effect } from './effect.ts';

const COMMANDS =
  /^(?:GIT_(?:SSH(?:_COMMAND)?|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|SUDO_EDITOR|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|HGEDITOR|SVN_SSH|SVN_EDITOR|RSYNC_RSH|TAR_OPTIONS|MAKEFLAGS|PS4)$/;
const LOADED =
  /^(?:LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|NODE_OPTIONS|PYTHONSTARTUP|PYTHONHOME|PYTHONPATH|PYTHONINSPECT|PYTHONBREAKPOINT|BASH_ENV|ENV|ZDOTDIR|PERL5OPT|PERL5DB|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG(?:_GLOBAL|_SYSTEM|_COUNT|_(?:KEY|VALUE)_\d+|_PARAMETERS)?|NODE_PATH|PHPRC|LUA_INIT|R_PROFILE(?:_USER)?|GCONV_PATH|npm_config_(?:script_shell|shell|node_options))$/;
const LIBRARIES = /^(?:PYTHONHOME|PYTHONPATH|NODE_PATH|CLASSPATH|PERL5LIB|RUBYLIB)$/;
/** Values that load no code from outside of the work tree. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /^(?!.*(?:--require|(?:^|\s)-r\b|--import|--loader|--experimental-loader|--inspect-brk|--eval)[\s=]*(?:\/|~|\.\.|https?:|data:))[\s\S]*$/,
  RUBYOPT: /^(?:\s*-(?:W\S*|w|d|E\S*|U)\s*)*$/,
  PERL5OPT: /^(?:\s*-(?:w|C\S*)\s*)*$/,
  JAVA_TOOL_OPTIONS: /^(?!.*(?:agent|Xrun|Xbootclasspath|OnOutOfMemoryError|OnError))/,
  _JAVA_OPTIONS: /^(?!.*(?:agent|Xrun|Xbootclasspath|OnOutOfMemoryError|OnError))/,
  JDK_JAVA_OPTIONS: /^(?!.*(?:agent|Xrun|Xbootclasspath|OnOutOfMemoryError|OnError))/,
  PYTHONBREAKPOINT: /^(?:0|[\w.]*)$/,
  PYTHONINSPECT: /^0?$/,
  GIT_CONFIG_GLOBAL: /^(?:\/dev\/null|)$/,
  GIT_CONFIG_SYSTEM: /^(?:\/dev\/null|)$/,
  GIT_CONFIG_COUNT: /^\d*$/,
  ENV: /^(?!.*\/)[\w.-]*$/,
};

const SWITCHES: Readonly<Record<string, RegExp>> = {
  HUSKY: /^0$/,
  HUSKY_SKIP_HOOKS: /^(?:1|true)$/,
  LEFTHOOK: /^(?:0|false)$/,
  LEFTHOOK_EXCLUDE: /./,
  SKIP: /./,
  PRE_COMMIT_ALLOW_NO_CONFIG: /^1$/,
};
/** Ordinary programs as values, which aren't reported. */
const USUAL =
  /^(?:|\S*\/)?(?:cat|less|more|most|true|false|:|vim?|nvim|nano|pico|emacs|emacsclient|code|subl|micro|hx|ed|ex|sed|ssh|plink|echo|bat|delta|diff-so-fancy|head|tail|firefox|open|xdg-open|sccache|ccache|git|kakoune|sensible-editor|sensible-pager|)(?:\s|$)/;

export function runsVariable(name: string): boolean {
  return (SPELLED.test(name) && (COMMANDS.test(name) || LOADED.test(name))) || name in SWITCHES;
}

/** Cheap first test: every name in `COMMANDS` and `LOADED` begins like this. */
const SPELLED = /^(?:[B-HJ-NPRSTVZ_][A-Z\d_]{2}|npm)/;

type Variables = SimpleCommand['environment'];

/** Returns the command lines in variables, each with an unknown file appended, to be judged as if they ran. */
export function variableCommands(command: SimpleCommand): readonly Field[] {
  return variablesOf(command).flatMap(([name, values]) => {
    if (!COMMANDS.test(name) || /^(?:MAKEFLAGS|TAR_OPTIONS)$/.test(name)) return [];
    return values.map((value) => ({ ...value, kind: 'unknown' as const, tail: `${value.tail} \uE000` }));
  });
}

export function environmentEffects(command: SimpleCommand): readonly Effect[] {
  const git = programName(command.argv[0]) === 'git';
  return variablesOf(command).flatMap(([name, values]): Effect[] => {
    const shownOf = (value: Field) => `${name}=${shownField(value)}`.slice(0, 120);
    const off = git ? values.find((value) => SWITCHES[name]?.test(fieldText(value))) : undefined;
    if (off !== undefined) return [{ kind: 'disables', by: name, shown: shownOf(off), what: 'hooks' }];
    const loads = values.find((value) => runsCode(name, value));
    if (loads === undefined || command.argv.length === 0) return [];
    return [{ kind: 'environment', by: name, shown: shownOf(loads) }];
  });
}

function variablesOf({ argv, environment }: SimpleCommand): Variables {
  if (!/^(?:export|declare|typeset|readonly)$/.test(programName(argv[0]))) return environment;
  const exported = argv.slice(1).flatMap((arg): Variables => {
    const [, name = '', head = ''] = /^(\w+)=([\s\S]*)$/.exec(arg.head) ?? [];
    return runsVariable(name) ? [[name, [{ ...arg, head }]]] : [];
  });
  return [...environment, ...exported];
}

function runsCode(name: string, value: Field): boolean {
  if (LOADED.test(name)) return loadsFromElsewhere(name, value);
  if (!COMMANDS.test(name) || /^(?:MAKEFLAGS|TAR_OPTIONS|PS4)$/.test(name)) return false;
  return value.kind === 'exact' && !USUAL.test(value.head.trim());
}

function loadsFromElsewhere(name: string, value: Field): boolean {
  const text = fieldText(value);
  if (text === '') return false;
  const harmless = HARMLESS[name];
  if (harmless !== undefined) return !harmless.test(text);
  if (/^GIT_CONFIG_(?:KEY|PARAMETERS)/.test(name)) {
    return /hookspath|pager|editor|sshcommand|fsmonitor|alias\.|external|helper|askpass|textconv|filter\./i.test(
      text,
    );
  }
  if (/^GIT_CONFIG/.test(name)) return false;
  // Library paths are lists, and code in the work tree was checked when it was written.
  if (LIBRARIES.test(name)) return false;
  return true;
}
