import { UNKNOWN_MARK, unescaped } from '../../shell/index.ts';

/** Texts in quotes of any kind; what is filled in where they are used is not known. */
export function stringLiterals(text: string): readonly string[] {
  const found = text.matchAll(
    /([fF]?)(?:"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`)/g,
  );
  return [...found].map(([, formatted, double, single, back]) => {
    const raw = unescaped(double ?? single ?? back ?? '');
    const filled =
      back !== undefined || double !== undefined ? raw.replace(/[$#]\{[^}]*\}/g, UNKNOWN_MARK) : raw;
    return formatted ? filled.replace(/\{[^}]*\}/g, UNKNOWN_MARK) : filled;
  });
}
