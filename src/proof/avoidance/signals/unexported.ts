import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import type { Side } from '../lex/side.ts';
import { type Sign, signalAt } from './sign.ts';

const HIDDEN: Sign = {
  category: 'feature_removal',
  kind: 'export_removed',
  confidence: 0.65,
  reason: 'Something that others could call is there and can no longer be called from outside',
};

/** Lists of names that a module offers; the first group that isn't empty holds them. */
const LISTS =
  /\bexport\s*(?:type\s*)?\{([^}]*)\}|\bmodule\.exports\s*=\s*\{([^}]*)\}|\bpub\s+use\s+[\w:]+::\{([^}]*)\}|\b__all__\s*(?:\+?=|\.extend\()\s*[[(]([^\])]*)[\])]/g;
/** One name on a line of its own; `*` for all of a module. */
const SINGLES = /^\s*(?:pub\s+use\s+[\w:]+::(\w+)\s*;|export\s*(\*)\s*from\s*["'][^"'\n]*["'])/gm;
/** What lets others call what a line defines. */
const OPEN = /^(?:export\s+(?:default\s+)?|pub(?:\([^)]*\))?\s+|public\s+|open\s+)/;
const CLOSED =
  /^(?:export\s+(?:default\s+)?|(?:pub(?:\([^)]*\))?|public|open|private|internal|fileprivate|protected)\s+)/;
const DEFINES =
  /\b(?:function\*?|class|const|let|enum|interface|fn|struct|trait|func|def|fun|record)\s+(?:\([^)]*\)\s*)?(\w+)|^\s*(?:public\s+|protected\s+)+(?:[\w<>[\],?. ]+\s)?(\w+)\s*\(/;

/** In more changed lines than these something is rearranged. */
const ALONE = 8;

/** Names that a module no longer offers though they are still defined, where nothing else in the diff says so. */
export function unexportedSignals({ all }: Changes): readonly Signal[] {
  const sources = all.filter(
    ({ role, file }) => role === 'source' && file.oldPath !== null && file.newPath !== null,
  );
  const lines = sources.flatMap(({ before, after }) => [...before.side.lines, ...after.side.lines]);
  if (lines.filter(({ changed, text }) => changed && /\w/.test(text)).length > ALONE) return [];
  const offered = new Set(all.flatMap(({ after }) => listed(after.side).map(({ name }) => name)));
  return sources.flatMap((change) => {
    const lost = [
      ...listed(change.before.side).filter(({ changed, name }) => changed && !offered.has(name)),
      ...closed(change),
    ];
    return lost
      .filter(({ name, line }) => !isMentioned(name, change, line, all))
      .map(({ line }) => signalAt(change, change.before.side, line, line, HIDDEN));
  });
}

type Name = { readonly name: string; readonly line: number; readonly changed: boolean };

function listed(side: Side): readonly Name[] {
  const lists = [...side.code.matchAll(LISTS)].flatMap((match) => {
    const names = match.slice(1).find((group) => group !== undefined) ?? '';
    const from = match.index + match[0].indexOf(names);
    return [...names.matchAll(/(?:\w+\s+as\s+)?(\w+)/g)].map((one) =>
      nameAt(side, one[1] ?? '', from + one.index),
    );
  });
  const singles = [...side.code.matchAll(SINGLES)].map((match) =>
    nameAt(side, match[1] ?? match[0].trim(), match.index + match[0].search(/\S/)),
  );
  return [...lists, ...singles].filter(({ name }) => name !== 'type');
}

function nameAt(side: Side, name: string, offset: number): Name {
  const line = side.starts.findLastIndex((start) => start <= offset);
  return { name, line, changed: side.lines[line]?.changed === true };
}

/** Definitions that lost the word that opened them, or are under a name that means that they aren't for others. */
function closed({ before, after }: Change): readonly Name[] {
  const now = new Set(after.side.lines.flatMap(({ changed, text }) => (changed ? [text.trim()] : [])));
  if (now.size === 0) return [];
  const bare = new Set([...now].filter((text) => !OPEN.test(text)).map((text) => text.replace(CLOSED, '')));
  return before.side.lines.flatMap(({ changed, text }, line): Name[] => {
    const own = text.trim();
    const [, word, method] = DEFINES.exec(own) ?? [];
    const name = word ?? method;
    if (!changed || name === undefined || name.startsWith('_')) return [];
    const shut = OPEN.test(own) && bare.has(own.replace(OPEN, ''));
    const renamed = now.has(own.replace(name, privateName(name, before.side)));
    return shut || renamed ? [{ name, line, changed }] : [];
  });
}

/** As a language spells what isn't for others; the same where it has no such form. */
function privateName(name: string, { language }: Side): string {
  if (language.name === 'python') return `_${name}`;
  return language.name === 'go' ? name.charAt(0).toLowerCase() + name.slice(1) : `${name} `;
}

/** Another line that changed speaks of it: who used it was looked after, or it is gone as a whole. */
function isMentioned(name: string, change: Change, line: number, all: readonly Change[]): boolean {
  const word = name.includes('*') ? name : new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  const says = (text: string) => (typeof word === 'string' ? text.includes(word) : word.test(text));
  return all.some(({ before, after }) => {
    const own = before.side === change.before.side;
    return (
      before.side.lines.some((one, at) => one.changed && !(own && at === line) && says(one.text)) ||
      (!own && after.side.lines.some((one) => one.changed && says(one.text)))
    );
  });
}
