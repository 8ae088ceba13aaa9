/** A helper of a project that says no more than that two values are as good as equal. */
export type NearHelper = {
  /** How far they may be apart. */
  readonly width: number;
  /** It compares two values; else it gives what a value is compared with. */
  readonly compares: boolean;
};

const NUMBER = String.raw`(\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z_]\w*)`;
/** What such a helper is made of, alone: its values, and how far they may be apart. */
const BODIES: readonly { readonly compares: boolean; readonly text: string }[] = [
  { compares: true, text: String.raw`(?:[Mm]ath\.)?f?abs\(\s*(\w+)\s*-\s*(\w+)\s*\)\s*<=?\s*${NUMBER}` },
  {
    compares: true,
    text: String.raw`(?:\w+\.)?isclose\(\s*(\w+)\s*,\s*(\w+)\s*,\s*(?:rel_tol|abs_tol|rtol|atol)\s*=\s*${NUMBER}\s*\)`,
  },
  {
    compares: false,
    text: String.raw`(?:\w+\.)?approx\(\s*(\w+)()\s*,\s*(?:abs|rel)\s*=\s*${NUMBER}\s*\)`,
  },
];
/** How a function that gives only that is written. */
const FORMS: readonly ((body: string) => string)[] = [
  (body) =>
    String.raw`(?:\b(?:const|let|var)\s+|\bexports\.)(\w+)\s*=\s*\(([^()]*)\)\s*(?::\s*boolean\s*)?=>\s*${body}\s*(?:;|$)`,
  (body) => String.raw`\bfunction\s+(\w+)\s*\(([^()]*)\)[^{}]*\{\s*return\s+${body}\s*;?\s*\}`,
  (body) => String.raw`\bdef\s+(\w+)\s*\(([^()]*)\)[^:\n]*:\s*return\s+${body}[ \t]*$`,
  (body) => String.raw`^[ \t]*(\w+)\s*=\s*lambda\s+([^:\n]*):\s*${body}[ \t]*$`,
];
const PATTERNS = BODIES.flatMap(({ compares, text }) =>
  FORMS.map((form) => ({ compares, pattern: new RegExp(form(text), 'gm') })),
);

/**
 * The helpers of this kind that code defines, by name. One that is defined twice isn't among them, nor one that gives anything else: a check
 * through it would hold whatever it is given.
 *
 * @param code Without comments.
 */
export function nearHelpersIn(code: string): ReadonlyMap<string, NearHelper> {
  const found = new Map<string, NearHelper>();
  if (!/\b(?:f?abs|isclose|approx)\b/.test(code)) return found;
  for (const { compares, pattern } of PATTERNS) {
    for (const [, name = '', params = '', one = '', other = '', width = ''] of code.matchAll(pattern)) {
      const given = params
        .split(',')
        .map((param) => /^\s*(\w+)(?:\s*:[^=]*)?(?:\s*=\s*(\S+))?\s*$/.exec(param));
      const isParam = (text: string) => given.some((param) => param?.[1] === text);
      const usual = given.find((param) => param?.[1] === width)?.[2];
      const number = Number(usual ?? constantOf(width, code));
      const isOfBoth = isParam(one) && (!compares || (isParam(other) && one !== other));
      if (isOfBoth && number >= 0 && timesSet(name, code) === 1) found.set(name, { width: number, compares });
    }
  }
  return found;
}

function constantOf(text: string, code: string): string {
  if (/^\d/.test(text)) return text;
  const set = new RegExp(String.raw`\b${text}\s*=\s*(\d[\w.-]*)\s*(?:;|$)`, 'm').exec(code);
  return set?.[1] !== undefined && timesSet(text, code) === 1 ? set[1] : 'unknown';
}

/** How often something of this name is defined or gets a value. */
function timesSet(name: string, code: string): number {
  return [
    ...code.matchAll(new RegExp(String.raw`\b(?:(?:function|def)\s+${name}\b|${name}\s*=(?![=>]))`, 'g')),
  ].length;
}
