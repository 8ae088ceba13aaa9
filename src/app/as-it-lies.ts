/**
 * ralph's folder in the state home, where this command is about a task of `ralph do`; `null`: it is about the task
 * list.
 */
let folder: string | null = null;

export function noteFolder(ofDo: string | null): void {
  folder = ofDo;
}

const RUN = /\bralph run\b((?: --agent \S+)?)(?: --task \S+)?/g;
const DOCUMENT =
  /(?<![\w/])\.ralph\/(?=(?:incidents|gates|runs|recoveries)\/|control-center\.md|journal\.jsonl)/g;

/** Returns a text with its commands and paths as they are for a task of `ralph do`, if this command is about one. */
export function asItLies(text: string): string {
  if (folder === null) return text;
  return text.replaceAll(RUN, 'ralph do$1').replaceAll(DOCUMENT, `${folder}/`);
}
