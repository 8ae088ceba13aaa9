import { leavesRepository, normalisePath, pathStrength } from '../items/path-names.ts';

type Wants = { readonly wants: 'present' | 'absent' };

/** The statement of a criterion about files. Paths are relative to the repository's root. */
export type Statement =
  | ({ readonly kind: 'file'; readonly path: string } & Wants)
  | ({
      readonly kind: 'name';
      readonly path: string;
      /** Name that the criterion asks for, also of a member: `Store.open`, `Store::open`. */
      readonly name: string;
      readonly as: 'exported' | 'defined';
      /** The criterion also names parameters, so the name alone isn't enough to confirm it. */
      readonly signature: boolean;
    } & Wants)
  | ({
      readonly kind: 'text';
      readonly path: string;
      readonly text: string;
      readonly literal: boolean;
    } & Wants)
  | {
      readonly kind: 'nowhere';
      readonly text: string;
      /** A folder without a trailing slash; `null` for all files. */
      readonly within: string | null;
      readonly code: boolean;
      /** The criterion says that nothing uses the text; merely naming it doesn't contradict that. */
      readonly uses: boolean;
    };

type Quoted = { readonly value: string; readonly by: 'backticks' | 'quotes' | 'nothing' };

const LONGEST = 2000;
/** Stands for the first quoted text; later ones have the next characters. */
const FIRST_MARK = 0xe000;
const MARK = '[\\ue000-\\uf8ff]';
const QUOTED =
  /``\s?(.{1,300}?)\s?``|`([^`\n]{1,300})`|"([^"\n]{1,300})"|“([^”\n]{1,300})”|(?<![\p{L}\p{N}])'([^'\n]{1,300})'(?![\p{L}\p{N}])/gu;

const LIST = `(${MARK}(?:(?:, and|,| and) ${MARK}){0,19})`;
const EITHER = `(${MARK}(?:(?:, (?:and|or)|,| and| or) ${MARK}){0,19})`;
const FILE_WORDS =
  '(?:(?:the|a|an|new) )*(?:(?:source )?(?:files?|modules?|scripts?) )?(?:(?:called|named|at) )?';
const FILES = `${FILE_WORDS}${LIST}(?: (?:file|module|script))?`;
const FILE = `${FILE_WORDS}(${MARK})(?: (?:file|module|script))?`;
const MODAL = '(?:(?:must|should|shall|will|now|also) )*';
const NOT =
  "(?:no longer|does not|doesn't|doesn’t|do not|don't|don’t|must not|should not|must no longer|should no longer|never)";
const ANY_MORE = '(?: any ?more| any longer| at all)?';
const IS = '(?:is|are|was|were|has been|have been|gets)';
const KIND_WORD =
  '(?:functions?|class(?:es)?|constants?|consts?|types?|interfaces?|enums?|methods?|structs?|traits?|variables?|components?|hooks?|helpers?|objects?|macros?|symbols?)';
const KIND = `(?:(?:the|a|an|new|named|public|both) )*${KIND_WORD} (?:(?:called|named) )?`;
const NAMES = `(?:${KIND}|the |both )?${LIST}(?: ${KIND_WORD})?`;
const THINGS = `(?:${KIND}${LIST}|(?:(?:the|a|an|new) )*${LIST} ${KIND_WORD})`;
const TEXT_WORD =
  '(?:texts?|strings?|words?|lines?|phrases?|headings?|sections?|entry|entries|keys?|flags?|options?|keywords?|snippets?)';
const TEXT = `(?:(?:the|a|an|any) )*(?:${TEXT_WORD} (?:(?:called|named|titled) )?)?`;
const SCOPE = `(?: ?(?:anywhere )?(?:in|within|under|below|inside|from) (?:(?:the|this|any|all|whole|entire) )*(?:(${MARK})(?: (?:folder|directory|file))?|(code|sources?|source code|source files)|(?:code ?base|repository|repo|project|tree|files?)))`;
const PLACE = `(?:${SCOPE}| anywhere| everywhere)`;

type Found = readonly (string | undefined)[];
type Pattern = readonly [
  RegExp,
  (found: Found, quoted: (marks: string | undefined) => Quoted[]) => (Statement | null)[],
];

const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'u');

/** Whole sentences and their meaning. The first match counts. */
const PATTERNS: readonly Pattern[] = [
  ...[
    `${FILES} (?:${MODAL}exists?|${IS} (?:created|added|present|there|in place)|(?:should|must) be (?:created|added|present|there))`,
    `there (?:is|must be|should be) ${FILES}`,
    `(?:create|add) ${FILES}`,
  ].map((source): Pattern => [whole(source), ([, files], quoted) => filesOf(quoted(files), 'present')]),
  ...[
    `${FILES} (?:${IS} (?:deleted|removed|gone)|(?:should|must) be (?:deleted|removed|gone)|(?:no longer|does not|do not|doesn't|don't|must not|should not) exists?|(?:is|are) (?:no longer|not) (?:there|present))`,
    `(?:delete|remove) ${FILES}`,
  ].map((source): Pattern => [whole(source), ([, files], quoted) => filesOf(quoted(files), 'absent')]),
  ...[`${FILE} ${IS} (?:renamed|moved) to (${MARK})`, `(?:rename|move) ${FILE} to (${MARK})`].map(
    (source): Pattern => [
      whole(source),
      ([, from, to], quoted) => [...filesOf(quoted(from), 'absent'), ...filesOf(quoted(to), 'present')],
    ],
  ),
  names(`${FILES} ${MODAL}(?:re-?)?(?:exports?|exposes?) ${NAMES}`, 'exported'),
  names(`${FILES} ${MODAL}(?:defines?|declares?) ${NAMES}`, 'defined'),
  names(`${FILES} ${MODAL}(?:has|have|provides?|contains?|includes?|adds?) ${THINGS}`, 'defined'),
  names(`${FILES} ${NOT} (?:re-?)?(?:exports?|exposes?) ${NAMES}${ANY_MORE}`, 'exported', 'absent'),
  names(`${FILES} ${NOT} (?:defines?|declares?) ${NAMES}${ANY_MORE}`, 'defined', 'absent'),
  namesIn(
    `${NAMES} ${IS} (?:(?:now|also) )*(?:(?:re-?)?exported|exposed) (?:from|by|in) ${FILE}`,
    'exported',
  ),
  namesIn(`${NAMES} ${IS} (?:(?:now|also) )*(?:defined|declared) (?:in|by) ${FILE}`, 'defined'),
  namesIn(`(?:export|expose) ${NAMES} from ${FILE}`, 'exported'),
  namesIn(`(?:define|declare) ${NAMES} in ${FILE}`, 'defined'),
  [
    whole(
      `${FILES} ${MODAL}(contains?|includes?|mentions?|(?:has|have) (?=(?:(?:the|a|an) )*${TEXT_WORD})) ?${TEXT}${LIST}`,
    ),
    ([, files, verb = '', texts], quoted) => textsOf(quoted(files), quoted(texts), verb, 'present'),
  ],
  [
    whole(
      `${FILES} (?:${NOT} (?:contains?|includes?|mentions?)|contains? no|is free of) ${TEXT}${EITHER}${ANY_MORE}`,
    ),
    ([, files, texts], quoted) => textsOf(quoted(files), quoted(texts), 'contain', 'absent'),
  ],
  nowhere(
    `(?:no|none of the) (?:(source|code) )?files?${SCOPE}? (?:still )?(contains?|includes?|mentions?|uses?|references?) ${TEXT}${EITHER}${SCOPE}?${ANY_MORE}`,
    ([, codeOnly, a, code1, verb, texts, b, code2]) => ({
      texts,
      within: [a, b],
      code: codeOnly ?? code1 ?? code2,
      verb,
    }),
  ),
  nowhere(
    `nothing${SCOPE}? (?:still )?(contains?|includes?|mentions?|uses?|references?) ${TEXT}${EITHER}${SCOPE}?${ANY_MORE}`,
    ([, a, code1, verb, texts, b, code2]) => ({ texts, within: [a, b], code: code1 ?? code2, verb }),
  ),
  nowhere(
    `${TEXT}${EITHER} (?:${NOT} (?:occurs?|appears?|exists?)|${IS} (?:not|no longer) (mentioned|present|found|used|referenced))${PLACE}${ANY_MORE}`,
    ([, texts, verb, a, code]) => ({ texts, within: [a], code, verb }),
  ),
  nowhere(`${TEXT}${EITHER} ${IS} (?:gone|removed)${PLACE}`, ([, texts, a, code]) => ({
    texts,
    within: [a],
    code,
    verb: undefined,
  })),
  nowhere(
    `(?:there (?:is|are) )?no (?:more )?(occurrences?|references?|mentions?|uses?|usages?|traces?) (?:of|to) ${EITHER}(?: (?:remains?|left|remaining|(?:is|are) left|exists?|(?:is|are) found))?${PLACE}?${ANY_MORE}`,
    ([, verb, texts, a, code]) => ({ texts, within: [a], code, verb }),
  ),
  nowhere(
    `there (?:is|are) no (?:more )?${TEXT}${EITHER}(?: left)?${PLACE}${ANY_MORE}`,
    ([, texts, a, code]) => ({ texts, within: [a], code, verb: undefined }),
  ),
];

/**
 * Returns the statements of a criterion about files, names in them and their text. Only whole sentences are read: an addition ("… when the
 * user logs in", "… with a test") makes the criterion about behaviour, and the result empty.
 */
export function readCriterion(criterion: string): Statement[] {
  const { skeleton, quoted } = withoutQuotes(criterion.slice(0, LONGEST));
  const of = (marks: string | undefined) =>
    [...(marks ?? '')].flatMap((mark) => quoted[mark.charCodeAt(0) - FIRST_MARK] ?? []);
  for (const [pattern, read] of PATTERNS) {
    const found = pattern.exec(skeleton);
    if (found === null) continue;
    const statements = read([...found], of);
    return statements.flatMap((one) => one ?? []).length === statements.length
      ? statements.flatMap((one) => one ?? [])
      : [];
  }
  return [];
}

/** Returns the sentence in lower case without its full stop, with marks for quoted text and paths. */
function withoutQuotes(criterion: string): { readonly skeleton: string; readonly quoted: readonly Quoted[] } {
  const text = criterion.trim().replace(/^\[[ xX]\]\s+/, '');
  if (/[\ue000-\uf8ff]/.test(text)) return { skeleton: '', quoted: [] };
  const quoted: Quoted[] = [];
  const mark = (one: Quoted) => String.fromCharCode(FIRST_MARK + quoted.push(one) - 1);
  let skeleton = '';
  let at = 0;
  const plain = (part: string) =>
    part.replace(/[^\s,()]+/g, (word) => {
      const path = word.replace(/[.!:;]+$/, '');
      if (pathStrength(normalisePath(path)) !== 'strong') return word.toLowerCase();
      return mark({ value: path, by: 'nothing' }) + word.slice(path.length);
    });
  for (const match of text.matchAll(QUOTED)) {
    const value = match.slice(1).find((group) => group !== undefined) ?? '';
    skeleton += plain(text.slice(at, match.index));
    skeleton += mark({ value, by: match[0].startsWith('`') ? 'backticks' : 'quotes' });
    at = match.index + match[0].length;
  }
  skeleton += plain(text.slice(at));
  return {
    skeleton: skeleton
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/\s*[.!]+$/, ''),
    quoted,
  };
}

function names(source: string, as: 'exported' | 'defined', wants: Wants['wants'] = 'present'): Pattern {
  return [
    whole(source),
    ([, files, ...lists], quoted) => namesOf(quoted(files), quoted(lists.find(Boolean)), as, wants),
  ];
}

function namesIn(source: string, as: 'exported' | 'defined'): Pattern {
  return [whole(source), ([, list, file], quoted) => namesOf(quoted(file), quoted(list), as, 'present')];
}

type Nowhere = {
  readonly texts: string | undefined;
  readonly within: readonly (string | undefined)[];
  readonly code: string | undefined;
  readonly verb: string | undefined;
};

function nowhere(source: string, read: (found: Found) => Nowhere): Pattern {
  return [
    whole(source),
    (found, quoted) => {
      const { texts, within, code, verb } = read(found);
      const [folder, ...more] = within.flatMap((marks) => quoted(marks));
      const path = folder === undefined ? null : normalisePath(folder.value);
      if (more.length > 0 || (path !== null && (path === '' || leavesRepository(path)))) return [null];
      const isFile = path !== null && !folder?.value.endsWith('/') && pathStrength(path) === 'strong';
      return quoted(texts).map(({ value, by }): Statement | null => {
        if (by === 'nothing' || !/\S/.test(value)) return null;
        const uses = /^us|^ref/.test(verb ?? '');
        if (isFile && uses) return null;
        if (isFile) return { kind: 'text', path, text: value, literal: true, wants: 'absent' };
        return { kind: 'nowhere', text: value, within: path, code: code !== undefined, uses };
      });
    },
  ];
}

function filesOf(files: readonly Quoted[], wants: Wants['wants']): (Statement | null)[] {
  return files.map((one) => {
    const path = filePath(one);
    return path === null || pathStrength(path) !== 'strong' ? null : { kind: 'file', path, wants };
  });
}

/** Returns a path below the repository that can be looked up, or `null` for a pattern or a folder with a slash. */
function filePath({ value, by }: Quoted): string | null {
  const path = normalisePath(value.trim());
  if (value.endsWith('/') || leavesRepository(path)) return null;
  const strength = pathStrength(path);
  return strength === 'strong' || (strength === 'weak' && by === 'backticks' && path.includes('/'))
    ? path
    : null;
}

const NAME = /^#?([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*)(\(.*\))?$/u;

function namesOf(
  files: readonly Quoted[],
  list: readonly Quoted[],
  as: 'exported' | 'defined',
  wants: Wants['wants'],
): (Statement | null)[] {
  return files.flatMap((file) => {
    const path = filePath(file);
    return list.map(({ value, by }): Statement | null => {
      const match = NAME.exec(value.trim());
      if (path === null || match === null || by === 'nothing') return null;
      const signature = (match[2] ?? '()').replace(/\s/g, '') !== '()';
      return { kind: 'name', path, name: match[1] ?? '', as, signature, wants };
    });
  });
}

/** Words in plain quotes may only describe the text. */
const PHRASE = /^\p{Ll}\S*(?:\s+\S+){2}/u;

function textsOf(
  files: readonly Quoted[],
  texts: readonly Quoted[],
  verb: string,
  wants: Wants['wants'],
): (Statement | null)[] {
  return files.flatMap((file) => {
    const path = filePath(file);
    return texts.map(({ value, by }): Statement | null => {
      if (path === null || by === 'nothing' || !/\S/.test(value)) return null;
      const isLoose =
        by === 'quotes' && (PHRASE.test(value) || (verb.startsWith('mention') && /\s/.test(value)));
      return { kind: 'text', path, text: value, literal: !isLoose, wants };
    });
  });
}
