import { type Field, fieldText, type SimpleCommand, shownField } from '../shell/index.ts';
import type { Effect } from './effect.ts';

/** Variables that hold a command line that other programs run. */
const COMMANDS =
  /^(?:GIT_(?:SSH(?:_COMMAND)?|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|SUDO_EDITOR|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|HGEDITOR|SVN_SSH|SVN_EDITOR|RSYNC_RSH|TAR_OPTIONS|MAKEFLAGS|PS4)$/;
/** Variables that name code which other programs load. */
const LOADED =
  /^(?:LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|NODE_OPTIONS|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PYTHONBREAKPOINT|BASH_ENV|ENV|ZDOTDIR|PERL5OPT|PERL5DB|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG(?:_GLOBAL|_SYSTEM|_COUNT|_(?:KEY|VALUE)_\d+|_PARAMETERS)?|NODE_PATH|PHPRC|LUA_INIT|R_PROFILE(?:_USER)?|GCONV_PATH|npm_config_(?:script_shell|shell|node_options))$/;
/** Values that load nothing from elsewhere. */
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

export function runsVariable(name: string): boolean {
  return COMMANDS.test(name) || LOADED.test(name);
}

/** Command lines that variables hold: they are judged as if they ran. */
export function variableCommands({ environment }: SimpleCommand): readonly Field[] {
  return environment.flatMap(([name, values]) =>
    COMMANDS.test(name) && name !== 'MAKEFLAGS' && name !== 'TAR_OPTIONS' ? values : [],
  );
}

/** Variables by which other programs load code that lies elsewhere. */
export function environmentEffects({ environment, argv }: SimpleCommand): readonly Effect[] {
  if (argv.length === 0) return [];
  return environment.flatMap(([name, values]) => {
    if (!LOADED.test(name)) return [];
    const loads = values.filter((value) => loadsFromElsewhere(name, value));
    return loads.slice(0, 1).map((value) => ({
      ...{ kind: 'environment' as const, by: name, shown: `${name}=${shownField(value)}`.slice(0, 120) },
    }));
  });
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
  // What lies in the work tree is seen when it is written; paths of libraries are lists.
  if (/^(?:PYTHONHOME|NODE_PATH|CLASSPATH|PERL5LIB|RUBYLIB)$/.test(name)) return false;
  return true;
}
