/** ralph's folder in the state home, if this command is about `ralph do`; `null`: it is about the task list. */
let folder: string | null = null;

export function noteFolder(ofDo: string | null): void {
  folder = ofDo;
}

const RUN = /\bralph run\b((?: --agent \S+)?)(?: --task \S+)?/g;
const DOCUMENT =
  /(?<![\w/])\.ralph\/(?=(?:incidents|gates|runs|recoveries)\/|control-center\.md|journal\.jsonl)/g;

/** Text in which commands and paths are those of `ralph do`, if this command is about its task. */
export function forDoTask(text: string): string {
  if (folder === null) return text;
  return text.replaceAll(RUN, 'ralph do$1').replaceAll(DOCUMENT, `${folder}/`);
}
