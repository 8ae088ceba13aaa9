import type { Task } from '../../domain/task.ts';

/** Words that any task may have, so they don't show its size. */
const SAYS_NOTHING = wordSet(
  'a an the this that these those it its he she they them their we us our you your i me my',
  'is are was were be been being am has have had do does did will would can could may might shall',
  'of in on at by and or but so s t d ll re ve m',
  // Words that appear in checks of small and of large work.
  'exist exists contain contains pass passes',
);

/**
 * Words that only count beside others, because "the thing with the number" has no meaning. Plurals are listed without
 * `s`.
 */
const FILLERS = wordSet(
  'who whom whose which what whatever why how when where whenever wherever while if then than as for from to into onto',
  'with within without via per about across after again against all already also alway always among another any anyone',
  'anything around because before between both each either else elsewhere enough even ever every everybody everyone',
  'everything everywhere except exactly few here however instead just like likewise many more most much near neither',
  'never no nobody none nor not nothing now off often only other otherwise out over own quite rather same several since',
  'some somebody someone something sometime somewhere somehow soon still such there though through together too toward',
  'under unless until up upon very whether whole yes yet should must isn doesn don aren cannot having doing done themselve',
  'one two three four five six seven eight nine ten eleven twelve twenty forty hundred once twice',
  'thing stuff number part piece bit lot way case kind point problem issue task matter foo bar baz qux etc misc',
  'miscellaneous improve improved improving improvement enhance enhancement make made making get getting got give given',
  'go goe gone going come became keep kept let need needed put take taken use used using want wanted work worked working',
  'try look looking see know known say told tell think ask asked become happen happening happened ensure please',
  'new old good bad better best nice nicer big little first last next different proper properly various certain',
  'maybe probably possible possibly really simply well general generally current currently existing',
);

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

const NUMBER = /^\d+$/;

export type Place = 'title' | 'description' | 'criteria';

export type DescribedTask = Pick<Task, 'title' | 'description' | 'acceptance'>;

export type Feature = {
  /** Key in the table of weights: a word without its plural `s`, or `form:…`. */
  readonly name: string;
  readonly text: string;
  readonly where: Place;
  readonly filler: boolean;
};

export function featuresOf(task: DescribedTask): Feature[] {
  const features = new Map<string, Feature>();
  const put = (name: string, text: string, where: Place) => {
    if (!features.has(name)) features.set(name, { name, text, where, filler: FILLERS.has(name) });
  };
  const readWords = (text: string, where: Place) => {
    for (const { text: word, start, end } of splitWords(text)) {
      if (!SAYS_NOTHING.has(word) && !NUMBER.test(word)) put(singular(word), text.slice(start, end), where);
    }
  };
  const readForms = (text: string, where: Place) => {
    for (const form of findForms(text)) put(form.name, form.text, where);
  };
  readWords(task.title, 'title');
  readForms(task.title, 'title');
  readWords(task.description, 'description');
  readForms(task.description, 'description');
  // A file or a command in a criterion shows how the result is checked, not how large the work is.
  readWords(task.acceptance.join('\n'), 'criteria');
  return [...features.values()];
}

/** Returns the key for the extra weights of a word in the title. */
export function titleName(name: string): string {
  return `title:${name}`;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

type Form = {
  /** Key in the table of weights. No word contains a colon. */
  readonly name: string;
  /** Parts that a lower-case text with this form has. They are found much faster than the pattern. */
  readonly needs: readonly string[] | RegExp;
  readonly pattern: RegExp;
};

const FILES = [
  'py|js|jsx|ts|tsx|mjs|go|rs|rb|java|kt|swift|c|h|cpp|cs|php|vue|proto|sql|sh|html|css|scss|md|mdx|txt',
  'yml|yaml|json|toml|ini|tf|tfvars|conf|cfg|env|properties|gradle|xml|plist|strings',
].join('|');

/** Forms with patterns for lower-case text. Repetitions are limited, so that no text takes long. */
const FORMS: readonly Form[] = [
  { name: 'form:arrow', needs: ['→', '->', '=>'], pattern: /\S{0,40}\s{0,2}(?:→|->|=>)\s{0,2}\S{0,40}/u },
  { name: 'form:from-to', needs: ['from '], pattern: /\bfrom\s+v?\d\S*\s+to\s+v?\d\S*/u },
  {
    name: 'form:to-value',
    needs: ['to '],
    pattern: /\bto\s+v?\d+(?:\.\d+)*(?:\s?[a-z%]{1,3})?(?=$|[\s.,;])/u,
  },
  { name: 'form:instead', needs: ['instead of', 'rather than'], pattern: /\b(?:instead of|rather than)\b/u },
  {
    name: 'form:should-be',
    needs: ['should ', 'must '],
    pattern: /\b(?:should|must)\s+(?:be|say|read)\s+["'`#]?[\w.-]+["'`]?(?=$|[\s.,;])/u,
  },
  { name: 'form:file', needs: /\.[a-z]/, pattern: new RegExp(`[\\w@/.-]{0,80}\\w\\.(?:${FILES})\\b`, 'u') },
  { name: 'form:path', needs: ['/'], pattern: /\b\w+\/\w+/u },
  { name: 'form:backquotes', needs: ['`'], pattern: /`[^`]+`/u },
  { name: 'form:call', needs: ['('], pattern: /\b\w+\(/u },
  { name: 'form:snake-case', needs: ['_'], pattern: /\b[a-z]+_\w+\b/u },
  { name: 'form:member', needs: /\w\.\w/, pattern: /\b\w{3,}\.\w{3,}\b/u },
  { name: 'form:setting', needs: ['=', ': '], pattern: /\w\s?=\s?\S+|\w: (?:true|false|\d+)/u },
  { name: 'form:flag', needs: ['-'], pattern: /(?<=^|[\s`(])--?[a-z][\w-]+/u },
  {
    name: 'form:request',
    needs: ['get /', 'post /', 'put /', 'patch /', 'delete /'],
    pattern: /\b(?:get|post|put|patch|delete) \/\S*/u,
  },
  { name: 'form:error', needs: ['error', 'exception'], pattern: /\b\w{3,}(?:error|exception)\b/u },
  // `form:list` is several things in one sentence, such as "alignment, borders, wrapping, colours".
  { name: 'form:list', needs: /,[^,.;]{1,40},[^,.;]{1,40},/, pattern: /(?:[^,.;]{1,40},){3}[^,.;]*/u },
  { name: 'form:quote', needs: ['"'], pattern: /"[^"]+"/u },
  { name: 'form:version', needs: /\d\.\d/, pattern: /\bv?\d+\.\d+(?:\.\d+)*\b/u },
  { name: 'form:pixels', needs: /\d ?(?:p[xt]|dp|fps)/, pattern: /\b\d+\s?(?:px|dp|pt|fps)\b/u },
];

function findForms(text: string): { name: string; text: string }[] {
  const lower = text.toLowerCase();
  // A few letters become two in lower case, so the positions in both texts may differ.
  const source = lower.length === text.length ? text : lower;
  return FORMS.flatMap(({ name, needs, pattern }) => {
    const possible = needs instanceof RegExp ? needs.test(lower) : needs.some((part) => lower.includes(part));
    const found = possible ? pattern.exec(lower) : null;
    if (found === null) return [];
    return [{ name, text: source.slice(found.index, found.index + found[0].length).trim() }];
  });
}

/** A lower-case word with its position in the text. `start` is inclusive, `end` exclusive. */
export type Word = { readonly text: string; readonly start: number; readonly end: number };

/** Matches letters, digits and `_` in a row. "C++" and "C#" keep their signs. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:\+\+|#)?/gu;

/**
 * Matches word boundaries within a name: in `SettingsView`, `HTTPParser` and `sales_chart`, and after scripts without
 * spaces.
 */
const IN_NAME =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Lo})(?=[a-zA-Z])|(?<=[a-zA-Z])(?=\p{Lo})|_+/gu;

/** Returns the words within a name; empty if it is one word. */
export function splitName(text: string, { start, end }: Word): Word[] {
  const name = text.slice(start, end);
  const breaks = [...name.matchAll(IN_NAME)].map(({ 0: gap, index }) => ({
    from: index,
    to: index + gap.length,
  }));
  if (breaks.length === 0) return [];
  return [{ from: 0, to: 0 }, ...breaks].map(({ to }, at) => {
    const stop = breaks[at]?.from ?? name.length;
    return { text: name.slice(to, stop).toLowerCase(), start: start + to, end: start + stop };
  });
}

export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
