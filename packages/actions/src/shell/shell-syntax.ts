import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from 'unbash';

/** The only call of the parser, so that another parser can replace it. */
export function parseScript(text: string): ParsedScript {
  return parse(text);
}

/** Characters parsed for one step of the review's budget. */
const PARSED = 100;
/** Starts of a construct that the parser reads again for each level around it. */
const NESTING = /[$<>]\(|\$\{|`/g;
/** Characters read again for one step of the review's budget. */
const PARSED_AGAIN = 1500;

export function parsingSteps(text: string): number {
  const nested = text.match(NESTING)?.length ?? 0;
  return text.length / PARSED + (nested * text.length) / PARSED_AGAIN;
}

/** Returns the words of a text, none of them read as a command, keyword or assignment. */
export function parseWords(text: string): readonly Word[] {
  const command = parse(`: ${text}`).commands[0]?.command;
  return command?.type === 'Command' ? command.args.filter((each) => each.type === 'Word') : [];
}

/** Returns the scripts of `$(…)` and `<(…)` below a node, but not those inside these scripts. */
export function scriptsBelow(node: SyntaxNode): readonly ParsedScript[] {
  const found: ParsedScript[] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Script') found.push(child);
    else forEachChild(child, visit);
  };
  forEachChild(node, visit);
  return found;
}

export function visitBelow(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  forEachChild(node, visit);
}
