import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { PACKAGES, SOURCES } from '../source-files.ts';
import { textsOf } from './printed-commands.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Code whose comments and titles are ours; fixtures and golden files quote others. */
const CODE = [...SOURCES, 'packages/fleet', 'bench', 'scripts', 'test', 'torture', 'types'];
const CODE_FILE = /^(?!.*\/(?:fixtures|golden|node_modules)\/).*\.m?[jt]s$/;

const REMARK =
  /^ *(?<comment>\/\*[\s\S]*?\*\/|\/\/.*(?:\n *\/\/.*)*)|^ *(?:(?:describe|it)\b.*?\(|.*\]\s*(?:as const)?\s*\)\()\s*(?<quote>['"`])(?<title>.*?)\k<quote>,/gm;
const COMMENT_MARK = /^ *(?:\/\*\*?|\*(?!\/)|\/\/)|\*\/$/gm;

/** A text that is read by a user, an agent or a developer, with the file and line on which it begins. */
export type Text = { readonly place: string; readonly text: string };

/**
 * Returns every text of the documents, the templates, the descriptions of keys, the messages and help texts in the
 * source, and the comments and titles of tests in all code.
 */
export function allTexts(): Text[] {
  const documents = textsOf(
    [
      ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'GLOSSARY.md', 'docs', 'templates'],
      ...PACKAGES.map((name) => `packages/${name}/README.md`),
    ],
    /\.md$/,
  ).flatMap(([path, text]) => paragraphsOf(path, text));
  const keys = readFileSync(`${root}src/config/key-descriptions.json`, 'utf8');
  const descriptions = Object.entries(JSON.parse(keys) as Record<string, string>).map(([key, text]) => ({
    place: `key-descriptions.json: ${key}`,
    text,
  }));
  const messages = textsOf(SOURCES, /(?<!\.test)\.ts$/).flatMap(([path, source]) => messagesOf(path, source));
  const remarks = textsOf(CODE, CODE_FILE).flatMap(([path, source]) => remarksOf(path, source));
  return [...documents, ...descriptions, ...messages, ...remarks];
}

/**
 * Returns the lines of a document outside of code, joined to paragraphs, because a phrase may continue on the next
 * line.
 */
export function paragraphsOf(path: string, document: string): Text[] {
  const texts: Text[] = [];
  let start = 1;
  for (const block of withoutCode(document).split('\n\n')) {
    texts.push({ place: `${path}:${start}`, text: block.replace(/\s+/g, ' ') });
    start += block.split('\n').length + 1;
  }
  return texts;
}

/** Returns each string of a source that has several words; names, keys and patterns have one. */
export function messagesOf(path: string, source: string): Text[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
        : null;
    if (text !== null && /\w[,;:]? \w/.test(text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      texts.push({ place: `${path}:${line + 1}`, text: text.replace(/\s+/g, ' ') });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/**
 * Returns the comments of a source that have lines of their own, joined to paragraphs, and the titles of its tests.
 * Rows of `it.each` are left out, because they may be data. Nothing is parsed: that takes seconds for all code.
 */
export function remarksOf(path: string, source: string): Text[] {
  return [...source.matchAll(REMARK)].map(({ index, groups }) => ({
    place: `${path}:${source.slice(0, index).split('\n').length}`,
    text: withoutCode(groups?.comment?.replace(COMMENT_MARK, '') ?? groups?.title ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
}

/** Returns a document without code; lines keep their numbers. */
function withoutCode(document: string): string {
  return document
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, (block) => block.replace(/[^\n]+/g, '-'))
    .replace(/`[^`\n]*`/g, '…');
}
