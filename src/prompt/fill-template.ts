import { fenceAfter, type OpenFence } from '../lib/markdown.ts';
import { nearest } from '../lib/nearest.ts';
import { PROMPT_VARIABLE_NAMES, type PromptValues, type PromptVariable } from './variables.ts';

/** `{{name}}`; a backslash before it (`\{{name}}`) keeps the braces as they are. */
const VARIABLE = /\\?\{\{\s*([\w.-]+)\s*\}\}/g;

/** Names used in a text, unknown ones included, each once, in order. */
export function variablesIn(text: string): readonly string[] {
  const names = [...text.matchAll(VARIABLE)].flatMap(([whole, name]) =>
    whole.startsWith('\\') || name === undefined ? [] : [name],
  );
  return [...new Set(names)];
}

/** The message about unknown variables of a template; `null` when all are known. */
export function templateProblem(template: string, name: string): string | null {
  const unknown = variablesIn(template).filter((variable) => !isKnown(variable));
  if (unknown.length === 0) return null;
  const named = unknown.map((variable) => {
    const near = nearest(variable, PROMPT_VARIABLE_NAMES);
    return `{{${variable}}} in line ${lineOf(template, variable)}${near === null ? '' : ` (did you mean {{${near}}}?)`}`;
  });
  return (
    `The prompt template ${name} uses ${named.join(', ')}, which ralph doesn't know. ` +
    `Known variables: ${PROMPT_VARIABLE_NAMES.join(', ')}. ` +
    'Fix the name, or write \\{{…}} to keep the braces.'
  );
}

/**
 * Puts values into a template whose variables are all known. Values are data: what looks like a variable in them
 * stays as it is. A section that holds nothing but variables, all of them empty, vanishes with its heading, and so
 * does a line of empty variables.
 */
export function fillTemplate(template: string, values: PromptValues): string {
  const kept = sectionsOf(template.replace(/\r\n?/g, '\n'))
    .filter((section) => section.heading === null || !isEmptySection(section.body, values))
    .flatMap((section) => [
      ...(section.heading === null ? [] : [section.heading]),
      ...withoutEmptyLines(section.body, values),
    ]);
  return `${substitute(kept.join('\n').trim(), values)}\n`;
}

type Section = { readonly heading: string | null; readonly body: readonly string[] };

function sectionsOf(template: string): readonly Section[] {
  const sections: { heading: string | null; body: string[] }[] = [{ heading: null, body: [] }];
  let open: OpenFence = null;
  for (const line of template.split('\n')) {
    if (open === null && /^#{1,6}\s/.test(line)) {
      sections.push({ heading: line, body: [] });
      continue;
    }
    open = fenceAfter(open, line);
    sections.at(-1)?.body.push(line);
  }
  return sections;
}

function isEmptySection(body: readonly string[], values: PromptValues): boolean {
  const text = body.join('\n');
  return variablesIn(text).length > 0 && substitute(text, values).trim() === '';
}

/** Drops lines of nothing but empty variables, each with the blank line after it. */
function withoutEmptyLines(body: readonly string[], values: PromptValues): readonly string[] {
  const kept: string[] = [];
  let dropped = false;
  for (const line of body) {
    const empty = variablesIn(line).length > 0 && substitute(line, values).trim() === '';
    if (!empty && !(dropped && line.trim() === '')) kept.push(line);
    dropped = empty;
  }
  return kept;
}

function substitute(text: string, values: PromptValues): string {
  return text.replace(VARIABLE, (whole: string, name: string) => {
    if (whole.startsWith('\\')) return whole.slice(1);
    return isKnown(name) ? values[name] : whole;
  });
}

function isKnown(name: string): name is PromptVariable {
  return PROMPT_VARIABLE_NAMES.some((known) => known === name);
}

function lineOf(template: string, variable: string): number {
  const lines = template.split(/\r\n?|\n/);
  return lines.findIndex((line) => variablesIn(line).includes(variable)) + 1;
}
