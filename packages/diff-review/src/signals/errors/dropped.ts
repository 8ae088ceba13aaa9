import type { LanguageName } from 'ralph-ecosystems';
import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { findCode, type Side } from '../../lex/side.ts';
import { blockEnd, indentOf, testAt } from '../../tests/find-tests.ts';
import { changedLines, type Sign, signalAt } from '../sign.ts';
import { bodyOf, isDefault, isLog, isNothing } from './quiet.ts';

const DROPPED: Sign = {
  category: 'error_swallowing',
  kind: 'error_dropped',
  confidence: 0.75,
  reason: 'Where an error was raised or passed on, nothing is done about it now',
};

const RAISES =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:throw\b|raise\b|panic!?\s*\(|return\s+(?:[^\n]*,\s*)?(?:err\b|Err\(|fmt\.Errorf|errors\.|(?:done|cb|callback|next)\(\s*(?:err|error|e|new)\b)|reject\s*\(|die\s*\()|^\s*\{?:error\b.*->\s*\{?:error\b/;
const QUIET =
  /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*\s)?(?:return(?:\s+(?:null|nil|None|undefined|false|False|true|0|-1|''|""|\[\]|\{\}|[A-Z][A-Z\d_]{2,}|new [A-Z]\w*\(\)|[A-Z]\w*\(\)|(?:nil|0|""|false|\w*\{\}),\s*nil))?|pass|continue|(?:console\.\w+|print\w*|(?:s|k|g|z)?log(?:ger)?\.\w+|logging|(?:zap|logrus|zerolog|Log|Logger|Console|LOG)\.\w+\.\w+|fmt\.Print\w*|warnings\.warn|puts|warn|error_log|System\.(?:out|err)\.\w+)\b.*)\s*;?\s*$|^\s*\{?:error\b.*->\s*(?:\{:ok\b.*|:ok|nil|%\{\}|\[\])\s*$/;

/** Matches a `return` of the input, as if it were valid. */
const GIVES = /^\s*return\s+(?!\w*(?:err|error|ex|exc|fail\w*|reject\w*|result|res)\b)[a-z_]\w*\s*;?\s*$/i;
const CONDITION = /^\s*(?:\}?\s*(?:if|unless|when)\b[^\n]*?\)\s)?\s*/;

/** Returns signals for raised or passed-on errors that production code now drops. Functions that changed tests name don't count. */
export function droppedErrorSignals({ all }: Changes): readonly Signal[] {
  const added = all.flatMap(({ after }) => after.side.lines.filter(({ changed }) => changed));
  const texts = new Set(added.map(({ text }) => text.trim()));
  const tested = new Set(
    all
      .filter(({ role, file }) => role === 'test' && file.newPath !== null)
      .flatMap(({ before, after }) => [...changedLines(before.side), ...changedLines(after.side)])
      .flatMap(([, lines]) => lines.join('\n').match(/[A-Za-z_]\w{2,}/g) ?? []),
  );
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => {
      const { side, tests } = change.after;
      const found = [...silenced(change, texts), ...lenient(change)];
      const handlers = silent(change).filter(
        (line) => !found.some((one) => line < one && one <= blockEnd(side, line)),
      );
      return [...found, ...handlers]
        .filter((line) => testAt(tests, line) === null && !isNamedInTests(side, line, tested))
        .map((line) => signalAt(change, side, line, line, DROPPED));
    });
}

const DEFINITION =
  /\b(?:function\*?|def|func|fn|fun)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)|^\s*(?:(?:public|private|protected|internal|static|async|override|final|export|const)\s+)*(?:[\w<>[\],?]+\s+)?(?!(?:if|for|while|switch|catch|else|try|with|match|when)\b)(\w+)\s*(?:=\s*(?:async\s*)?)?\([^;]*(?:\{|=>)\s*$/;

/** Returns whether changed lines of tests name the function around a line. A function that isn't shown counts as named. */
function isNamedInTests(side: Side, line: number, tested: ReadonlySet<string>): boolean {
  if (tested.size === 0) return false;
  const own = side.lines[line];
  const above = side.lines
    .slice(0, line + 1)
    .filter(({ hunk, text }) => hunk === own?.hunk && indentOf(text) < indentOf(own?.text ?? ''));
  const header = above.findLast(({ text }) => DEFINITION.test(text))?.text ?? side.sections[own?.hunk ?? 0];
  const [, named, method] = DEFINITION.exec(header ?? '') ?? [];
  const name = named ?? method;
  return name === undefined || tested.has(name);
}

function silenced({ before, after }: Change, added: ReadonlySet<string>): readonly number[] {
  return [...changedLines(after.side)].flatMap(([hunk, lines]) => {
    const raised = (changedLines(before.side).get(hunk) ?? []).filter(
      (text) => RAISES.test(text) && !added.has(text.trim()),
    );
    if (raised.length === 0 || lines.some((text) => RAISES.test(text))) return [];
    const line = after.side.lines.findIndex(
      (one) =>
        one.hunk === hunk &&
        one.changed &&
        (QUIET.test(one.text) || GIVES.test(one.text) || isNothing(one.text.replace(CONDITION, ''))) &&
        raised.some((text) => indentOf(text) === indentOf(one.text)),
    );
    return line >= 0 ? [line] : [];
  });
}

type Form = readonly [passes: RegExp, drops: RegExp];

const NONE = /^(?!)/g;
/** Matches text in brackets, with up to two more levels inside. */
const INNER = String.raw`(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*`;
const ARROW = String.raw`(?:async\s*)?(?:\(\s*\w*\s*\)|\w+)\s*=>\s*`;
const arrowTo = (before: string, after = ''): RegExp =>
  new RegExp(`${before}${ARROW}(${INNER})\\s*\\)${after}`, 'g');
/** Rails and Ecto have two forms of these methods: one raises, the other returns `false`. */
const ACTIVE_RECORD =
  '(?:save|update|create|destroy|insert|delete|find_by|find_or_create_by|first|last|take|touch|validate|insert_or_update|get|one|fetch|read|write|decode|encode|transaction)';

/** Old and new line are equal without the matches. A group in the second pattern is the value used instead of an error. */
const FORMS: Readonly<Partial<Record<LanguageName, readonly Form[]>>> = {
  rust: [
    [
      /(?:\.(?:map_err|or_else|context|with_context|ok_or|ok_or_else|wrap_err\w*)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\?(?=\s*[;.,)]|$)/g,
      /\.unwrap_or(?:_default|_else)?\((?:[^()]|\([^()]*\))*\)|\.ok\(\)|(?<==\s)\bmatch\b/g,
    ],
    [
      /(?:\.map_err\((?:[^()]|\([^()]*\))*\))?\?(?=\s*[;.)]|$)|\.map_err\((?:[^()]|\([^()]*\))*\)$/g,
      /\.ok\(\)\??/g,
    ],
    [/\.collect::<Result<.*>>\(\)\?/g, /\.flatten\(\)\.collect(?:::<[^()]*>)?\(\)/g],
    [/(?<=\))\?(?=\.collect|\.sum|;)/g, /\.flatten\(\)(?=\.collect|;)/g],
  ],
  kotlin: [
    [
      NONE,
      /runCatching\s*\{\s*|\s*\}\.get(?:OrNull\(\)|OrDefault\s*\(((?:[^()]|\([^()]*\))*)\)|OrElse\s*\{([^{}]*)\})/g,
    ],
    [NONE, /^\s*runCatching\s*\{\s*|\s*\}\s*(?:\.onFailure\s*\{[^{}]*\})?\s*$/g],
  ],
  js: [
    [/\bPromise\.all\b/g, /\bPromise\.allSettled\b/g],
    [
      NONE,
      /,?\s*\{\s*(?:reject|throwHttpErrors|throwOnError|validateStatus)\s*:\s*(?:false|null|\(\)\s*=>\s*true)\s*,?\s*\}/g,
    ],
    [NONE, arrowTo(String.raw`\.catch\s*\(\s*`)],
    [NONE, /\.catch\s*\(\s*(?:console|log|logger)\.\w+\s*\)/g],
    [NONE, arrowTo(String.raw`(?<=\bthen\s*\([^\n]*),\s*`, '')],
    [/(?<=\()\s*(?:err|error|e)(?=\s*,)/g, /(?<=\()\s*_\w*(?=\s*,)/g],
  ],
  go: [[/^\s*(?:if\s+)?err\s*:?=\s*|;\s*err\s*!=\s*nil\s*\{\s*$/g, /^\s*_\s*=\s*/g]],
  python: [
    [/,?\s*\bcheck=True\b/g, /,?\s*\bcheck=False\b/g],
    [/,?\s*\berrors=["']strict["']/g, /,?\s*\berrors=["'](?:ignore|replace)["']/g],
    [NONE, /,\s*return_exceptions=True\b/g],
    [NONE, /,?\s*\bignore_errors=True\b/g],
  ],
  elixir: [[/(?<=\w)!(?=\()/g, NONE]],
  ruby: [[new RegExp(`(?<=\\.${ACTIVE_RECORD})!`, 'g'), NONE]],
  swift: [[/\btry!?\s+/g, /\btry\?\s+/g]],
  php: [
    [
      /,\s*(?:depth:\s*)?512,\s*(?:flags:\s*)?JSON_THROW_ON_ERROR|,\s*(?:flags:\s*)?JSON_THROW_ON_ERROR|\s*\|\s*JSON_THROW_ON_ERROR/g,
      /@(?=[a-z_]\w*\()|\s*\?[?:]\s*([^;]+)(?=;)/g,
    ],
    [/(?<=\b(?:find|first|sole))OrFail(?=\()/g, NONE],
  ],
  java: [
    [NONE, /\.exceptionally\s*\(\s*\w+\s*->\s*([^()]*)\)/g],
    [
      /\.orElseThrow\s*\((?:[^()]|\([^()]*\))*\)/g,
      /\.orElse(?:Get)?\s*\((?:\s*\(\)\s*->)?((?:[^()]|\([^()]*\))*)\)/g,
    ],
  ],
  dart: [
    [/\bawait\s+(\w[^;\n]*)/g, /\bunawaited\(\s*([^;\n]*)\)(?=;)/g],
    [NONE, arrowTo(String.raw`\.catchError\s*\(\s*`)],
  ],
  scala: [
    [NONE, /\bTry\s*[({]\s*|\s*[)}]\.(?:getOrElse\s*\(((?:[^()]|\([^()]*\))*)\)|toOption)/g],
    [NONE, /\.recover\s*\{\s*case\s+_\w*\s*(?::\s*\w+\s*)?=>\s*([^{}]*)\}/g],
  ],
};

const OR = String.raw`(?:\?:|\?\?|\|\||\bor\b)\s*`;
const ANY: readonly Form[] = [
  // A missing value raised an error before, and has a default now.
  [
    new RegExp(`${OR}(?:throw|raise|die|return\\s+Err|fatalError|error|panic!?)\\b.*$`, 'g'),
    new RegExp(`${OR}(.+)$`, 'g'),
  ],
  [/\bexit(?=\s*\(?\s*[1-9])\s*\(?\s*\d+\)?/gi, /\bexit\s*\(?\s*0\)?/gi],
];

/** Returns the lines with the same call as before, whose errors are no longer passed on. */
function lenient({ before, after }: Change): readonly number[] {
  const forms = [...(FORMS[after.side.language.name] ?? []), ...ANY];
  const old = changedLines(before.side);
  return [...new Set(after.side.lines.map(({ hunk }) => hunk))].flatMap((hunk) => {
    const known = forms.map(([passes]) =>
      (old.get(hunk) ?? []).map((text) => [squeezed(text), squeezed(text.replace(passes, ''))] as const),
    );
    return after.side.lines.flatMap(({ changed, text, hunk: own }, line) => {
      if (!changed || own !== hunk || !old.has(hunk)) return [];
      const lost = forms.some(([passes, drops], index) => {
        const now = squeezed(withoutDrops(text, drops));
        const same = [squeezed(text), squeezed(text.replace(passes, ''))];
        return now !== '' && known[index]?.some(([was, rest]) => rest === now && !same.includes(was));
      });
      return lost ? [line] : [];
    });
  });
}

function withoutDrops(text: string, drops: RegExp): string {
  return text.replace(drops, (match, ...rest) => {
    const values = rest.slice(0, -2).filter((one): one is string => typeof one === 'string');
    return values.every((value) => isDefault(value)) ? '' : match;
  });
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');

const HANDLERS =
  /^[ \t]*(?:\}[ \t]*)?(?:catch\b|except\b|rescue\b|if\b|else\b|unless\b|guard\b|case\b)[^\n]*|^[^\n]*(?:\.catch\s*\(|=>)[^\n]*$/gm;
const HANDS_ON =
  /\b(?:throw|raise|reject|panic!?|[fF]atal\w*|[eE]xit|abort|die|exitCode)\b|\b(?:next|done|cb|callback)\s*\(\s*(?:err|error|e|new)\b|\breturn\b[^\n]*\b(?:err|error|Err|errors|[1-9]\d*)\b/;

function silent({ before, after }: Change): readonly number[] {
  const passes = (side: Side, line: number) => HANDS_ON.test(bodyOf(side, line, 'bare').join('\n'));
  const passed = new Set(
    findCode(before.side, HANDLERS)
      .filter(({ changed, line }) => !changed && passes(before.side, line))
      .map(({ line }) => keyOf(before.side, line)),
  );
  if (passed.size === 0) return [];
  return findCode(after.side, HANDLERS)
    .filter(({ changed, line }) => !changed && passed.has(keyOf(after.side, line)))
    .map(({ line }) => line)
    .filter((line) => {
      const body = bodyOf(after.side, line);
      return (
        body.length > 0 && !passes(after.side, line) && body.every((one) => isNothing(one) || isLog(one))
      );
    });
}

/** Returns a key for an unchanged line. Both versions have the same unchanged lines in the same order, so equal texts are numbered. */
function keyOf({ lines }: Side, line: number): string {
  const text = lines[line]?.text ?? '';
  return `${text}\n${lines.slice(0, line).filter((one) => !one.changed && one.text === text).length}`;
}
