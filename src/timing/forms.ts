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

/** What is looked for in a text in lower case. Long runs are bounded, so that no text takes long. */
export const FORMS: readonly Form[] = [
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
export function findForms(text: string): { name: string; text: string }[] {
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
