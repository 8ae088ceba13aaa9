/** A project's helper that only compares two values with a tolerance. */
export type NearHelper = {
  readonly width: number;
  /** `true`: compares two values. `false`: returns an expected value with a tolerance. */
  readonly compares: boolean;
};

const NUMBER = String.raw`(\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z_]\w*)`;
/** Expressions that are the whole body of a helper; the groups are the values and the tolerance. */
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
 * Returns the helpers that code defines, by name. Those defined twice are left out, and those that do more, as they may accept any value.
 * @param code Code without comments.
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

function timesSet(name: string, code: string): number {
  return [
    ...code.matchAll(new RegExp(String.raw`\b(?:(?:function|def)\s+${name}\b|${name}\s*=(?![=>]))`, 'g')),
  ].length;
}
