import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from 'unbash';

/** The one place where the parser is called: another one would be put in here. */
export function parseScript(text: string): ParsedScript {
  return parse(text);
}

/** Characters that the parser reads in a step. */
const PARSED = 100;
/** What begins something that the parser reads again for each level around it. */
const NESTING = /[$<>]\(|\$\{|`/g;
/** Characters that are read again in a step. */
const PARSED_AGAIN = 1500;

/** What it takes at most to parse a text, in steps of the review's budget. */
export function parsingSteps(text: string): number {
  const nested = text.match(NESTING)?.length ?? 0;
  return text.length / PARSED + (nested * text.length) / PARSED_AGAIN;
}

/** The words of a text, read where none is taken for a command, a keyword or an assignment. */
export function parseWords(text: string): readonly Word[] {
  const command = parse(`: ${text}`).commands[0]?.command;
  return command?.type === 'Command' ? command.args.filter((each) => each.type === 'Word') : [];
}

/** The scripts that lie directly below a node: in `$(…)` and `<(…)`, however deep in words and expressions. */
export function scriptsBelow(node: SyntaxNode): readonly ParsedScript[] {
  const found: ParsedScript[] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Script') found.push(child);
    else forEachChild(child, visit);
  };
  forEachChild(node, visit);
  return found;
}

/** Calls back for each node directly below another one. */
export function visitBelow(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  forEachChild(node, visit);
}
