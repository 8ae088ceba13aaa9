import type { Task } from '../../domain/task.ts';

/** Words that any task may contain: style isn't a measure of the work. */
const SAYS_NOTHING = wordSet(
  'a an the this that these those it its he she they them their we us our you your i me my',
  'is are was were be been being am has have had do does did will would can could may might shall',
  'of in on at by and or but so s t d ll re ve m',
  // Small and large work are checked in the same words.
  'exist exists contain contains pass passes',
);

/**
 * Words that count only beside others: alone ("the thing with the number") they say nothing of the work.
 * Without their plural `s`, as features are named.
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

/** The parts of a task that describe it in words. */
export type DescribedTask = Pick<Task, 'title' | 'description' | 'acceptance'>;

/** A word or a form of a task that may have weights. */
export type Feature = {
  /** What the weights are found by: a word without its plural `s`, or `form:…`. */
  readonly name: string;
  /** As the task spells it. */
  readonly text: string;
  /** Where it stands first. */
  readonly where: Place;
  /** It decides nothing alone. */
  readonly filler: boolean;
};

/** Every word and form of a task once, in the order of the text. */
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

/** What a word of the title has weights of its own by, beside those that it has anywhere. */
export function titleName(name: string): string {
  return `title:${name}`;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Something that the form of a text shows rather than its words. */
type Form = {
  /** As the weights know it; no word holds a colon. */
  readonly name: string;
  /** A text in lower case has the form only if it holds one of these: they are found much faster than the pattern. */
  readonly needs: readonly string[] | RegExp;
  readonly pattern: RegExp;
};

/** Endings of files of source and of settings. */
const FILES = [
  'py|js|jsx|ts|tsx|mjs|go|rs|rb|java|kt|swift|c|h|cpp|cs|php|vue|proto|sql|sh|html|css|scss|md|mdx|txt',
  'yml|yaml|json|toml|ini|tf|tfvars|conf|cfg|env|properties|gradle|xml|plist|strings',
].join('|');

/** What is searched in a text in lower case. Long runs are bounded, so that no text takes long. */
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
  // Several things in one sentence: "alignment, borders, wrapping, colours".
  { name: 'form:list', needs: /,[^,.;]{1,40},[^,.;]{1,40},/, pattern: /(?:[^,.;]{1,40},){3}[^,.;]*/u },
  { name: 'form:quote', needs: ['"'], pattern: /"[^"]+"/u },
  { name: 'form:version', needs: /\d\.\d/, pattern: /\bv?\d+\.\d+(?:\.\d+)*\b/u },
  { name: 'form:pixels', needs: /\d ?(?:p[xt]|dp|fps)/, pattern: /\b\d+\s?(?:px|dp|pt|fps)\b/u },
];

/** The forms of a text with the part that has them. */
function findForms(text: string): { name: string; text: string }[] {
  const lower = text.toLowerCase();
  // A few letters become two in lower case; then places in one text are not places in the other.
  const source = lower.length === text.length ? text : lower;
  return FORMS.flatMap(({ name, needs, pattern }) => {
    const possible = needs instanceof RegExp ? needs.test(lower) : needs.some((part) => lower.includes(part));
    const found = possible ? pattern.exec(lower) : null;
    if (found === null) return [];
    return [{ name, text: source.slice(found.index, found.index + found[0].length).trim() }];
  });
}

/** A word of a text in lower case, and its place in the text: `start` inclusive, `end` exclusive. */
export type Word = { readonly text: string; readonly start: number; readonly end: number };

/** Letters, digits and `_` in a row; "C++" and "C#" keep their marks. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:\+\+|#)?/gu;

/** Where a new word begins within a name: `SettingsView`, `HTTPParser`, `sales_chart`, and after writing without blanks. */
const IN_NAME =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Lo})(?=[a-zA-Z])|(?<=[a-zA-Z])(?=\p{Lo})|_+/gu;

/** The words that a name in a text is made of; none where it is one word. */
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
