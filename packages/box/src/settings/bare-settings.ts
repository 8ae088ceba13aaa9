import { basename } from 'node:path';
import { isObject } from 'ralph-kit/is-object';
import { redact } from 'ralph-kit/redact';
import { kindOfName } from 'ralph-kit/secrets/names';
import { looksRandom } from 'ralph-kit/secrets/values';
import { tryOr } from 'ralph-kit/try-or';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { parseAllDocuments, stringify as stringifyYaml } from 'yaml';
import { bareLines, type Dialect } from './bare-lines.ts';
import { bareValue } from './bare-value.ts';
import { bareXml } from './bare-xml.ts';

/** Returns settings without credentials; `null`: they can't be read, so none are passed on. */
type Bare = (text: string) => string | null;

const HASH = /^[#;]/;
const PLAIN: Dialect = { separator: /\s*=\s*/, continues: 'never', comment: HASH, escapes: false };
const PROPERTIES: Dialect = {
  separator: /(?<=(?:^|[^\\])(?:\\\\)*)(?:\s*[=:]\s*|(?<=\S)\s+)/,
  continues: 'backslash',
  comment: /^[#!]/,
  escapes: true,
};
const lines =
  (dialect: Dialect): Bare =>
  (text) =>
    bareLines(text, dialect);

/** Readers by file name; other `.config` files (Maven's and others) are XML. */
const READERS: readonly (readonly [name: RegExp, bare: Bare])[] = [
  [/\.toml$|^config$/, toml],
  [/\.ya?ml$|^\.condarc$|^\.gemrc$/, yaml],
  [/\.(?:xml|config)$/i, bareXml],
  [/\.properties$/, lines(PROPERTIES)],
  [/^pip\.conf$/, lines({ ...PLAIN, separator: /\s*[=:]\s*/, continues: 'indent' })],
  [/^repositories$/, lines({ ...PLAIN, separator: /\s*:\s*/ })],
  [/^\.yarnrc$/, lines({ ...PLAIN, separator: /(?<=^\s*(?:"[^"]*"|\S+))\s+/ })],
  [/^(?:\.npmrc|rc|env|\.asdfrc)$/, lines(PLAIN)],
  [/\.gradle(?:\.kts)?$|^\.mavenrc$/, code],
  [/./, list],
];

/** Returns a tool's settings without credentials; `null`: the file can't be read, so nothing is passed on. */
export function bareSettings(path: string, text: string): string | null {
  const name = basename(path);
  const bare = READERS.find(([pattern]) => pattern.test(name))?.[1] ?? list;
  return tryOr(null, () => bare(text));
}

function toml(text: string): string {
  return stringifyToml(bareDocument(parseToml(text)));
}

function yaml(text: string): string | null {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return '';
  if (documents.some(({ errors }) => errors.length > 0)) return null;
  return documents.map((one) => stringifyYaml(bareDocument(one.toJS({ maxAliasCount: 100 })))).join('---\n');
}

function bareDocument(document: unknown): Record<string, unknown> {
  const bare = bareValue(document ?? {}, '');
  return isObject(bare) ? bare : {};
}

/** Nothing can be cut out of code, so code that signs in isn't passed on. */
function code(text: string): string | null {
  const isSigningIn = text.split('\n').some((line) => {
    const literals = [...line.matchAll(/(["'])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , inner = '']) => inner);
    const isAboutSecrets = (line.match(/[\w.-]+/g) ?? []).some((word) => kindOfName(word) !== null);
    return literals.some(
      (inner) => looksRandom(inner) || (isAboutSecrets && inner !== '' && !/\$/.test(inner)),
    );
  });
  const hasUser = /:\/\/[^/@\s"'<>]+@/.test(text);
  return isSigningIn || hasUser || redact(text, []) !== text ? null : text;
}

/** Names and patterns, one per line. */
function list(text: string): string {
  return text
    .split('\n')
    .filter((line) => redact(line, []) === line)
    .join('\n');
}
