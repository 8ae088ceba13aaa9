import { describe, expect, it } from 'vitest';
import type { EvidenceItem } from '../../../src/domain/claim.ts';
import { readClaim } from '../../../src/proof/evidence/index.ts';

/** Items as `path`, `path:from-to`, with `!says` when something is said. */
function short(items: readonly EvidenceItem[]): string[] {
  return items.map((item) => {
    const lines = item.from === null ? '' : `:${item.from}-${item.to}`;
    return `${item.path}${lines}${item.says === 'touched' ? '' : `!${item.says}`}`;
  });
}

function read(message: string): EvidenceItem[] {
  return readClaim(message, {
    plainText: false,
    prompt: '',
    task: { id: 'E1-02', title: 'Write the parser' },
    quoted: [],
  }).evidence;
}

const inBlock = (line: string): string => `RALPH_STATUS\nSTATUS: DONE\nEVIDENCE:\n${line}\nEND_RALPH_STATUS`;

describe('a line of a block', () => {
  it.each([
    ['- src/parser.ts:10-42 what was done', ['src/parser.ts:10-42']],
    ['- src/parser.ts:10 what', ['src/parser.ts:10-10']],
    ['- src/parser.ts:10:5 what', ['src/parser.ts:10-10']],
    ['- src/parser.ts', ['src/parser.ts']],
    ['src/parser.ts:10-42 without a bullet', ['src/parser.ts:10-42']],
    ['* src/parser.ts:10–42 with an en dash', ['src/parser.ts:10-42']],
    ['1. src/parser.ts:10-42', ['src/parser.ts:10-42']],
    ['- [x] src/parser.ts:10-42', ['src/parser.ts:10-42']],
    ['- `src/parser.ts:10-42` what', ['src/parser.ts:10-42']],
    ['- `src/parser.ts`:10-42 what', ['src/parser.ts:10-42']],
    ['- **src/parser.ts:10-42** what', ['src/parser.ts:10-42']],
    ['- **`src/parser.ts`** (lines 10-42): what', ['src/parser.ts:10-42']],
    ['- "src/parser.ts" what', ['src/parser.ts']],
    ['- src/parser.ts#L10-L42 what', ['src/parser.ts:10-42']],
    ['- src/parser.ts#L10', ['src/parser.ts:10-10']],
    ['- src/parser.ts (lines 10-42) what', ['src/parser.ts:10-42']],
    ['- src/parser.ts, lines 10 to 42', ['src/parser.ts:10-42']],
    ['- src/parser.ts (line 10)', ['src/parser.ts:10-10']],
    ['- src/parser.ts L10-L42', ['src/parser.ts:10-42']],
    ['- src/parser.ts (10-42)', ['src/parser.ts:10-42']],
    ['- src/parser.ts (2 functions)', ['src/parser.ts']],
    ['- [src/parser.ts](src/parser.ts#L10-L42) what', ['src/parser.ts:10-42']],
    ['- [the parser](src/parser.ts)', ['src/parser.ts']],
    ['- ./src/parser.ts:1-2', ['src/parser.ts:1-2']],
    ['- src\\parser.ts:1-2', ['src/parser.ts:1-2']],
    ['- C:\\repo\\src\\parser.ts:1-2', ['C:/repo/src/parser.ts:1-2']],
    ['- src//lib/../parser.ts', ['src/parser.ts']],
    ['- app/[id]/page.tsx:3-4', ['app/[id]/page.tsx:3-4']],
    ['- app/(group)/page.tsx:3-4', ['app/(group)/page.tsx:3-4']],
    ['- `docs/my notes.md` updated', ['docs/my notes.md!modified']],
    ['- src/größe.ts:3', ['src/größe.ts:3-3']],
    ['- package/__init__.py:3', ['package/__init__.py:3-3']],
    ['- Makefile:3 what', ['Makefile:3-3']],
    ['- .gitignore', ['.gitignore']],
    ['- src/parser:10-42 a file without an ending', ['src/parser:10-42']],
    ['- `src/parser`', ['src/parser']],
    ['- src/a.ts, src/b.ts and src/c.ts: what', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['- src/a.ts:1-2,5-6 two ranges', ['src/a.ts:1-2']],
    ['- src/a.ts:42-10 turned round', ['src/a.ts:42-42']],
    ['- src/a.ts:0', ['src/a.ts']],
    ['- src/old.ts -> src/new.ts', ['src/old.ts', 'src/new.ts']],
    ['- renamed src/old.ts to src/new.ts', ['src/old.ts', 'src/new.ts']],
    ['- Created src/a.ts: the parser', ['src/a.ts!created']],
    ['- created: src/a.ts', ['src/a.ts!created']],
    ['- [new] src/a.ts', ['src/a.ts!created']],
    ['- new file: src/a.ts', ['src/a.ts!created']],
    ['- src/a.ts (new)', ['src/a.ts!created']],
    ['- src/a.ts created', ['src/a.ts!created']],
    ['- src/a.ts: modified', ['src/a.ts!modified']],
    ['- src/a.ts - updated.', ['src/a.ts!modified']],
    ['- M src/a.ts', ['src/a.ts!modified']],
    ['- D src/a.ts', ['src/a.ts!deleted']],
    ['- Deleted the file src/a.ts', ['src/a.ts!deleted']],
    ['- src/a.ts deleted', ['src/a.ts!deleted']],
    ['- src/a.ts removed the old branch', ['src/a.ts']],
    ['- src/a.ts:10-12 deleted', ['src/a.ts:10-12']],
    ['- src/a.ts added tests', ['src/a.ts']],
    ['- src/a.ts:1 uses src/context.ts', ['src/a.ts:1-1']],
    ['- Node.js 20 is supported', []],
    ['- npm test passes', []],
    ['- 12/12 tests passed', []],
    ['- pass/fail is shown', []],
    ['- see https://example.com/a.ts', []],
    ['- example.com/index.html answers', []],
    ['- localhost:3000 answers', []],
    ['- 12:30 finished', []],
    ['- version 1.2.3', []],
    ['- config.load() validates', []],
    ['- implemented the parser', []],
    ['none', []],
  ])('%s', (line, expected) => {
    expect(short(read(inBlock(line)))).toEqual(expected);
  });

  it('keeps the note and the source', () => {
    expect(read(inBlock('- src/a.ts:1-2 - wrote the parser'))).toEqual([
      { path: 'src/a.ts', from: 1, to: 2, says: 'touched', note: 'wrote the parser', source: 'block' },
    ]);
  });

  it.each([
    ['EVIDENCE: src/a.ts:1, src/b.ts', ['src/a.ts:1-1', 'src/b.ts']],
    ['FILES_CREATED: src/a.ts', ['src/a.ts!created']],
    ['FILES_MODIFIED:\n- src/a.ts\n- src/b.ts', ['src/a.ts!modified', 'src/b.ts!modified']],
    ['FILES_MODIFIED: 3', []],
    ['EVIDENCE:\n- src/a.ts\nTESTS_STATUS: PASSING\n- src/b.ts', ['src/a.ts']],
    ['EVIDENCE:\n\n- src/a.ts\n\n- src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['EVIDENCE:\n- src/a.ts:1-2\n- src/a.ts:1-2\n- src/a.ts', ['src/a.ts:1-2']],
  ])('in its section: %j', (body, expected) => {
    expect(short(read(`RALPH_STATUS\nSTATUS: DONE\n${body}\nEND_RALPH_STATUS`))).toEqual(expected);
  });

  it('takes every entry of the JSON form for a path', () => {
    const json = '{"status":"done","files":["src/x","src/a.ts:1-2"],"files_deleted":["src/old.ts"]}';
    expect(short(read(`RALPH_STATUS: ${json}`))).toEqual(['src/x', 'src/a.ts:1-2', 'src/old.ts!deleted']);
  });

  it('leaves absolute paths for the change set to find', () => {
    expect(short(read(inBlock('- /home/me/repo/src/a.ts:1-2')))).toEqual(['/home/me/repo/src/a.ts:1-2']);
  });

  it('keeps 200 items at most', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `- src/file-${index}.ts:1-2`);
    expect(read(inBlock(lines.join('\n')))).toHaveLength(200);
  });
});

describe('prose', () => {
  it.each([
    ['See src/parser.ts:12 for context.', ['src/parser.ts:12-12']],
    ['The change is in src/parser.ts:10-42, and it works.', ['src/parser.ts:10-42']],
    ['The change is in `src/parser.ts` (lines 10-42).', ['src/parser.ts:10-42']],
    ['[parser](src/parser.ts#L10-L42) is new', ['src/parser.ts:10-42']],
    ['I created src/a.ts.', ['src/a.ts!created']],
    ['I created the new file `src/a.ts` with the parser.', ['src/a.ts!created']],
    [
      'Created src/a.ts, src/b.ts and src/c.ts.',
      ['src/a.ts!created', 'src/b.ts!created', 'src/c.ts!created'],
    ],
    ['Modified: src/a.ts', ['src/a.ts!modified']],
    ['I have updated src/a.ts', ['src/a.ts!modified']],
    ['Deleted `src/old.ts`.', ['src/old.ts!deleted']],
    ['`src/a.ts` was created.', ['src/a.ts!created']],
    ['src/a.ts has been deleted.', ['src/a.ts!deleted']],
    ['+++ b/src/a.ts', ['src/a.ts']],
    ['```diff\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n```', ['src/a.ts']],
    ['+++ /dev/null', []],
    ['```ts\nimport x from "./src/parser.ts";\n```', []],
    ['Removed the dead code from src/a.ts.', ['src/a.ts']],
    ['Removed `src/a.ts` from the list.', ['src/a.ts']],
    ['Removed src/a.ts imports everywhere.', ['src/a.ts']],
    ['Added tests in src/a.ts.', ['src/a.ts']],
    ['Added `src/a.ts` to the index.', ['src/a.ts']],
    ['I have not created src/a.ts yet.', ['src/a.ts']],
    ['I previously created src/a.ts.', ['src/a.ts']],
    ['The plan: src/a.ts should be created.', ['src/a.ts']],
    ['`src/a.ts` was removed from the list.', ['src/a.ts']],
    ['Created the folder. See src/a.ts', ['src/a.ts']],
    ['src/a.ts and src/a.ts:3 and src/a.ts', ['src/a.ts:3-3']],
    ['See https://example.com/src/a.ts:3 and http://localhost:8080/x.html', []],
    ['Started at 12:30, version 1.2.3, on 127.0.0.1:80 and db.example.com:5432', []],
    ['It is and/or true/false, 24/7, 2026/01/20, e.g. i.e. etc.', []],
    ['Node.js and Vue.js, foo.bar(), text/html, application/json', []],
    ['Write to me@example.com about v2.0.1', []],
    ['> Created src/a.ts', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(short(read(text))).toEqual(expected);
  });

  it('does not repeat what the block says', () => {
    expect(short(read(`I created src/a.ts and read src/b.ts.\n\n${inBlock('- src/a.ts:1-2')}`))).toEqual([
      'src/a.ts:1-2',
      'src/b.ts',
    ]);
  });
});
