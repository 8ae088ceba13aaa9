import type { Side } from '../../lex/side.ts';
import { blockEnd } from '../../tests/find-tests.ts';

/** Stands for a value that depends on nothing. */
const VALUE = '§';
const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$]*`/g;
const CONSTANTS =
  /(?<![\w.$@])(?:null|nil|None|undefined|[tT]rue|[fF]alse|default|:\w+|-?\d[\w.]*|[A-Z][A-Z\d_]+)(?![\w(.])|(?<![\w.])[A-Z]\w*(?:\.|::)(?:[A-Z][A-Z\d_]+|[eE]mpty|[dD]efault|[nN]one|[zZ]ero|CompletedTask|Undefined)\b(?![(<])/g;
const BRACKETS = /[[({]\s*(?:(?:[\w$.]+\s*(?::|=>|=)\s*)?§\s*[,;]?\s*)*[\])}]/g;
const MAKERS =
  /(?:\b(?:new|await)\s+|[&%])?(?:(?<![\w.])(?:[A-Z]\w*(?:<[^<>]*>)?(?:(?:\.|::)(?:of|new|empty\w*|Empty\w*|default\w*|none|resolve|success|just|value|ok|FromResult|from|pure|successful|zero))?|[a-z]\w*(?:\.|::)[A-Z]\w*|dict|list|set|tuple|array|vec!|of|(?:mutable)?(?:[eE]mpty|[lL]ist|[mM]ap|[sS]et|[aA]rray|[dD]efault)(?:[A-Z]\w*|Of)?|default|noop|string|bytes))(?:<[^<>]*>)?§/g;
const CAST = /^(.*\S)\s+(?:as|satisfies)\s+[\w<>[\]|{}:;,. ]+$/;
const TELLS =
  /err(?:or|no)?\b|error|fail|invalid|denied|forbidden|unauthori[sz]ed|unavailable|not_?found|bad_?(?:request|gateway)|reject|abort|\b[45]\d\d\b|\b(?:ok|valid|success\w*|found|available|exists|supported|healthy|reachable)["']?\s*(?::|=>|=)\s*(?:false|False)/i;

export function isDefault(expression: string): boolean {
  if (expression.length > 300 || TELLS.test(expression)) return false;
  let text = expression
    .trim()
    .replace(/;$/, '')
    .replace(CAST, '$1')
    .replace(STRINGS, VALUE)
    .replace(/\bvoid 0\b/, VALUE);
  for (let round = 0; round < 4; round += 1)
    text = text.replace(CONSTANTS, VALUE).replace(BRACKETS, VALUE).replace(MAKERS, VALUE);
  return text.trim() === VALUE || /^(?:EMPTY|NEVER|noop)$/.test(text);
}

const LOGS =
  /^(?:await |void |_ = )?(?:\$?(?:self|this|Rails|@\w+|app|ctx|c|r|s|request|req|fastify|server)(?:\.|->)#?)?(?:console|(?:_?\w*[lL]og(?:ger|ging)?|LOG(?:GER)?)|warnings|sys|System|Timber|os_log|NSLog|print\w*|echo|puts|warn|error_log|fmt|debug\w*|trace|info|Console|Debug|Trace|logger|p|pp|zap|slog|spdlog|std::cerr|std::cout|cerr|cout|e?println!?|eprintln!?|tracing)\b|^\w+\.printStackTrace\(\)|^traceback\.print_\w+\(\)/;
const NOTHING =
  /^(?:pass|continue|next|break|\.\.\.|null|return|(?:process\.|os\.|sys\.)?exit\s*\(?\s*0\s*\)?|(?:next|done|cb|callback|resolve)\s*\(\s*\)|(?:c?tx|res|reply|response)\.(?:end|next)\(\)|res\.sendStatus\(2\d\d\))$/i;

export const isLog = (statement: string): boolean => LOGS.test(statement);

export function isNothing(statement: string): boolean {
  const bare = statement.replace(/;$/, '').trim();
  if (NOTHING.test(bare)) return true;
  const value =
    /^(?:resolve\b|(?:return\s+)?(?:done|cb|callback)\s*\(\s*(?:null|undefined)\s*,|return|(?:return\s+)?res\.(?:json|send|end)\b|(?:[\w$.@]+|(?:let|const|var|val|auto)\s+\w+)\s*:?=(?!=)|case\s+_\w*(?:\s*:\s*\w+)?\s*=>)\s*(.+)$/.exec(
      bare,
    )?.[1] ?? bare;
  return isDefault(value.replace(/,\s*nil$/, '').replace(/^([^()]*)\)$/, '$1'));
}

/** Returns the statements of the block below a line, each on one line, without comments. */
export function bodyOf(side: Side, line: number, view: 'code' | 'bare' = 'code'): readonly string[] {
  const to = blockEnd(side, line);
  const lines = side[view].slice(side.starts[line], side.starts[Math.max(to, line) + 1]).split('\n');
  const first =
    /(?:\{|(?<!:):(?!:)|(?<!\brescue\b.*)=>|\bthen\b)\s*([^{}]*?)\s*\}?\s*$/.exec(lines[0] ?? '')?.[1] ?? '';
  const nested = lines
    .slice(1)
    .findIndex((text) =>
      /^\s*\}?\s*(?:catch|finally|except|ensure|else|rescue|on\s+\w+\s+catch)\b/.test(text),
    );
  return statementsIn([first, ...lines.slice(1, nested < 0 ? undefined : nested + 1)].join('\n'));
}

export function statementsIn(text: string): readonly string[] {
  return joined(text)
    .split(/[\n;]/)
    .map((one) => unclosed(one.trim()))
    .filter((one) => one !== '' && !/^(?:end|fi|done|esac|[)\]}]+,?|\{|[a-z_]\w*\s*->)$/.test(one));
}

function joined(text: string): string {
  let [depth, out, opensValue] = [0, '', false];
  for (const char of text) {
    if (char === '(' || char === '[' || (char === '{' && (depth > 0 || opensValue))) depth += 1;
    if ((char === ')' || char === ']' || char === '}') && depth > 0) depth -= 1;
    out += char === '\n' && depth > 0 ? ' ' : char;
    if (char.trim() !== '') opensValue = /[=(,:&]/.test(char) || /\breturn$/.test(out.slice(-8));
  }
  return out;
}

function unclosed(text: string): string {
  return text.includes('{') ? text : text.replace(/^\}+|\}+$/g, '').trim();
}
