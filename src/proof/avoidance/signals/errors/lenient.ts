import type { LanguageName } from '../../../../lib/code/languages.ts';
import type { Change } from '../../change.ts';
import { testAt } from '../../tests/find-tests.ts';
import { changedLines } from '../sign.ts';
import { type Place, placeAt } from './place.ts';
import { isDefault } from './quiet.ts';

/** What passes an error on, and what forgets it or puts a value in its place. */
type Form = readonly [passes: RegExp, drops: RegExp];

const NONE = /^(?!)/g;
/** What stands in brackets, with two more pairs in it. */
const INNER = String.raw`(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*`;
const ARROW = String.raw`(?:async\s*)?(?:\(\s*\w*\s*\)|\w+)\s*=>\s*`;
const arrowTo = (before: string, after = ''): RegExp =>
  new RegExp(`${before}${ARROW}(${INNER})\\s*\\)${after}`, 'g');
/** Records of Rails and Ecto have a form that raises and one that answers `false`. */
const RECORDS =
  '(?:save|update|create|destroy|insert|delete|find_by|find_or_create_by|first|last|take|touch|validate|insert_or_update|get|one|fetch|read|write|decode|encode|transaction)';

/** Both are taken out: the rest of the line is the same as before. A group of what drops is the value that is put in its place. */
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
    [NONE, arrowTo(String.raw`(?<=\bthen\s*\([^\n]*),\s*`, '')],
    [/(?<=\()\s*(?:err|error|e)(?=\s*,)/g, /(?<=\()\s*_\w*(?=\s*,)/g],
  ],
  python: [
    [/,?\s*\bcheck=True\b/g, /,?\s*\bcheck=False\b/g],
    [/,?\s*\berrors=["']strict["']/g, /,?\s*\berrors=["'](?:ignore|replace)["']/g],
    [NONE, /,\s*return_exceptions=True\b/g],
    [NONE, /,?\s*\bignore_errors=True\b/g],
  ],
  elixir: [[/(?<=\w)!(?=\()/g, NONE]],
  ruby: [[new RegExp(`(?<=\\.${RECORDS})!`, 'g'), NONE]],
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
  // A missing value raised, and has a default now.
  [
    new RegExp(`${OR}(?:throw|raise|die|return\\s+Err|fatalError|error|panic!?)\\b.*$`, 'g'),
    new RegExp(`${OR}(.+)$`, 'g'),
  ],
  [/\bexit(?=\s*\(?\s*[1-9])\s*\(?\s*\d+\)?/gi, /\bexit\s*\(?\s*0\)?/gi],
];

/** A statement whose promise was waited for, so that its failure was this one's. */
const AWAITED = /^\s*await\s+(\w.*)$/;
const FLOATING = /^\s*(?:(?:void|_\s*=)\s+)?(\w.*)$/;

/** The same call as before, and what fails in it is no longer passed on. */
export function lenient(change: Change): readonly Place[] {
  const { before, after } = change;
  const forms = [...(FORMS[after.side.language.name] ?? []), ...ANY];
  const awaits = !isLessAsync(change);
  const old = changedLines(before.side);
  const known = remembering(([hunk, form]: readonly [number, Form]) =>
    (old.get(hunk) ?? []).map((text) => [squeezed(text), squeezed(text.replace(form[0], ''))] as const),
  );
  return after.side.lines.flatMap(({ changed, text, hunk }, line) => {
    if (!changed || !old.has(hunk) || testAt(after.tests, line) !== null) return [];
    const lost = forms.some((form) => {
      const now = squeezed(withoutDrops(text, form[1]));
      if (now === '') return false;
      const own = squeezed(text);
      const bare = squeezed(text.replace(form[0], ''));
      return known([hunk, form]).some(([was, rest]) => rest === now && was !== own && was !== bare);
    });
    const floats = awaits && isFloating(text, old.get(hunk) ?? []);
    return lost || floats ? [placeAt(change, after.side, line)] : [];
  });
}

/** What drops an error is taken out where the value in its place depends on nothing. */
function withoutDrops(text: string, drops: RegExp): string {
  return text.replace(drops, (match, ...rest) => {
    const values = rest.slice(0, -2).filter((one): one is string => typeof one === 'string');
    return values.every((value) => isDefault(value)) ? '' : match;
  });
}

function isFloating(text: string, removed: readonly string[]): boolean {
  const call = /\(/.test(text) && !/^\s*await\b/.test(text) ? FLOATING.exec(text)?.[1] : undefined;
  return (
    call !== undefined && removed.some((old) => squeezed(AWAITED.exec(old)?.[1] ?? '') === squeezed(call))
  );
}

/** What was asynchronous isn't any more: there is nothing to wait for. */
function isLessAsync({ before, after }: Change): boolean {
  const asyncs = (lines: ReadonlyMap<number, readonly string[]>) =>
    [...lines.values()].flat().filter((text) => /\basync\b/.test(text)).length;
  return asyncs(changedLines(before.side)) > asyncs(changedLines(after.side));
}

/** Each answer once, by the parts of what is asked. */
function remembering<A, B, R>(compute: (of: readonly [A, B]) => R): (of: readonly [A, B]) => R {
  const answers = new Map<A, Map<B, R>>();
  return (of) => {
    const own = answers.get(of[0]) ?? new Map<B, R>();
    answers.set(of[0], own);
    if (!own.has(of[1])) own.set(of[1], compute(of));
    return own.get(of[1]) as R;
  };
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
