import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Claim } from '../../../src/domain/claim.ts';
import { readClaim } from '../../../src/proof/evidence/index.ts';

const TASK = { task: { id: 'E1-02', title: 'Write the parser' }, quoted: [] };
const structured = (message: string): Claim =>
  readClaim(message, {
    plainText: false,
    prompt: '',
    task: { id: 'E1-02', title: 'Write the parser' },
    quoted: [],
  });
const plain = (message: string, prompt = ''): Claim =>
  readClaim(message, {
    plainText: true,
    prompt,
    task: { id: 'E1-02', title: 'Write the parser' },
    quoted: [],
  });

const BLOCK = [
  'RALPH_STATUS',
  'TASK: E1-02',
  'STATUS: DONE',
  'EXIT_SIGNAL: true',
  'EVIDENCE:',
  '- src/parser.ts:10-42 wrote the parser',
  'END_RALPH_STATUS',
].join('\n');
const TEMPLATE = [
  'RALPH_STATUS',
  'TASK: E1-02',
  'STATUS: DONE | IN_PROGRESS | BLOCKED',
  'EXIT_SIGNAL: true | false',
  'EVIDENCE:',
  '- src/parser.ts:10-42 what was done',
  'REASON: (when BLOCKED)',
  'END_RALPH_STATUS',
].join('\n');

type Row = readonly [
  name: string,
  text: string,
  status: Claim['status'],
  exitSignal: boolean | null,
  completion: boolean,
];

const BOTH: readonly Row[] = [
  ['the documented block', BLOCK, 'done', true, true],
  ['text before and after the block', `All good.\n\n${BLOCK}\n\nBye.`, 'done', true, true],
  [
    'the dashed form',
    '---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---',
    'done',
    true,
    true,
  ],
  [
    'dashes with spaces',
    '--- RALPH_STATUS ---\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n--- END_RALPH_STATUS ---',
    'in_progress',
    false,
    false,
  ],
  ['CRLF', BLOCK.replaceAll('\n', '\r\n'), 'done', true, true],
  ['lone CR', BLOCK.replaceAll('\n', '\r'), 'done', true, true],
  ['indentation', BLOCK.replaceAll(/^/gm, '      '), 'done', true, true],
  ['terminal colours', BLOCK.replaceAll('EXIT', '\u001b[1;32mEXIT'), 'done', true, true],
  ['lower case', 'ralph_status\nstatus: done\nexit_signal: TRUE\nend_ralph_status', 'done', true, true],
  [
    'bold',
    '**RALPH_STATUS**\n**TASK:** E1-02\n**STATUS:** DONE\n**EXIT_SIGNAL:** true\n**END_RALPH_STATUS**',
    'done',
    true,
    true,
  ],
  [
    'a heading and list markers',
    '## RALPH_STATUS\n- STATUS: `DONE`\n- EXIT_SIGNAL: `true`\nEND_RALPH_STATUS',
    'done',
    true,
    true,
  ],
  [
    'a box',
    '│ RALPH_STATUS │\n│ STATUS: DONE │\n│ EXIT_SIGNAL: true │\n│ END_RALPH_STATUS │',
    'done',
    true,
    true,
  ],
  ['without its end', 'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true', 'done', true, true],
  [
    'without its end, cut in the evidence',
    'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n- src/pa',
    'done',
    true,
    true,
  ],
  [
    'without its end, other words behind',
    'RALPH_STATUS\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\n\nTokens used: 12\nstatus: done',
    'in_progress',
    false,
    false,
  ],
  ['a block in the last fence', `Here is my status:\n\n\`\`\`text\n${BLOCK}\n\`\`\`\n`, 'done', true, true],
  [
    'a marker before the fence',
    'RALPH_STATUS\n```\nSTATUS: DONE\nEXIT_SIGNAL: true\n```',
    'done',
    true,
    true,
  ],
  ['an unclosed fence', `\`\`\`\n${BLOCK}`, 'done', true, true],
  [
    'the last of two blocks',
    `${BLOCK}\n\nRALPH_STATUS\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\nEND_RALPH_STATUS`,
    'in_progress',
    false,
    false,
  ],
  [
    'DONE with an explicit false',
    'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: false\nEND_RALPH_STATUS',
    'done',
    false,
    false,
  ],
  [
    'DONE and BLOCKED in one block',
    'RALPH_STATUS\nSTATUS: DONE\nSTATUS: BLOCKED\nEXIT_SIGNAL: true\nEND_RALPH_STATUS',
    'blocked',
    true,
    false,
  ],
  [
    'IN_PROGRESS with a signal',
    'RALPH_STATUS\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: true\nEND_RALPH_STATUS',
    'in_progress',
    true,
    false,
  ],
  ['a block of a file that is shown', `README.md says:\n\n${BLOCK}`, 'none', null, false],
  [
    'two signals in one block',
    'RALPH_STATUS\nEXIT_SIGNAL: true\nEXIT_SIGNAL: false\nEND_RALPH_STATUS',
    'none',
    false,
    false,
  ],
  [
    'blocked',
    'RALPH_STATUS\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nREASON: no key\nEND_RALPH_STATUS',
    'blocked',
    false,
    false,
  ],
  [
    'false with a remark',
    'RALPH_STATUS\nSTATUS: BLOCKED (until the key is there)\nEXIT_SIGNAL: false (until then)\nEND_RALPH_STATUS',
    'blocked',
    false,
    false,
  ],
  ['the template', TEMPLATE, 'none', null, false],
  ['the template and then the block', `${TEMPLATE}\n\n${BLOCK}`, 'done', true, true],
  ['the block and then the template', `${BLOCK}\n\n${TEMPLATE}`, 'done', true, true],
  [
    'template with slashes',
    'RALPH_STATUS\nSTATUS: DONE/BLOCKED\nEXIT_SIGNAL: true/false\nEND_RALPH_STATUS',
    'none',
    null,
    false,
  ],
  ['template in brackets', 'EXIT_SIGNAL: <true|false>', 'none', null, false],
  [
    'fields left over from the template',
    'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true | false\nEND_RALPH_STATUS',
    'done',
    null,
    true,
  ],
  [
    'instructions in place of a value',
    'RALPH_STATUS\nSTATUS: DONE when all tests pass\nEXIT_SIGNAL: true only when done\nEND_RALPH_STATUS',
    'none',
    null,
    false,
  ],
  ['a lone signal', 'EXIT_SIGNAL: true', 'none', true, true],
  ['a lone false', 'EXIT_SIGNAL: false', 'none', false, false],
  ['a lone signal in bold', '**EXIT_SIGNAL: true**', 'none', true, true],
  ['a lone signal with a bold key', '- **EXIT_SIGNAL:** true', 'none', true, true],
  ['a lone signal as code', '`EXIT_SIGNAL: true`', 'none', true, true],
  ['a lone signal with a remark', 'EXIT_SIGNAL: true (all tests pass)', 'none', true, true],
  ['a signal at the end of a sentence line', 'Everything is finished. EXIT_SIGNAL: true', 'none', true, true],
  ['a signal behind a colon', 'My status: EXIT_SIGNAL: true', 'none', true, true],
  ['the template of a lone signal', 'EXIT_SIGNAL: true | false', 'none', null, false],
  ['an explanation of the signal', 'EXIT_SIGNAL: true means that the loop ends', 'none', null, false],
  ['a condition on the signal', 'EXIT_SIGNAL: true when the tests pass', 'none', null, false],
  ['a refusal', 'I will not print EXIT_SIGNAL: true', 'none', null, false],
  ['a signal spoken of', 'The prompt asks me to print `EXIT_SIGNAL: true`', 'none', null, false],
  ['no signal because', "I can't set EXIT_SIGNAL: true: the tests fail", 'none', null, false],
  [
    'false behind optimistic prose',
    'All done! Everything is complete.\nEXIT_SIGNAL: false',
    'none',
    false,
    false,
  ],
  [
    'false before optimistic prose',
    'EXIT_SIGNAL: false\nEverything is complete and finished.',
    'none',
    false,
    false,
  ],
  ['false and the promise', 'EXIT_SIGNAL: false\n<promise>COMPLETE</promise>', 'none', false, false],
  ['the promise and false', '<promise>COMPLETE</promise>\nEXIT_SIGNAL: false', 'none', false, false],
  [
    'a lone false before a block without a signal',
    'EXIT_SIGNAL: false\nRALPH_STATUS\nSTATUS: DONE\nEND_RALPH_STATUS',
    'done',
    false,
    false,
  ],
  [
    'a lone true before a block that is not done',
    'EXIT_SIGNAL: true\nRALPH_STATUS\nSTATUS: IN_PROGRESS\nEND_RALPH_STATUS',
    'in_progress',
    null,
    false,
  ],
  ['the promise', '<promise>COMPLETE</promise>', 'none', null, true],
  ['the promise in a line', 'Everything works. <promise>complete</promise>', 'none', null, true],
  [
    'the promise spoken of',
    'I will print <promise>COMPLETE</promise> once the tests pass',
    'none',
    null,
    false,
  ],
  ['the promise in code', 'The tag is `<promise>COMPLETE</promise>`', 'none', null, false],
  ['another promise', '<promise>SOON</promise>', 'none', null, false],
  ['the JSON form', 'RALPH_STATUS: {"status":"done","files":["src/x"]}', 'done', null, true],
  [
    'the JSON form with a signal',
    'RALPH_STATUS: {"status":"done","exit_signal":false}',
    'done',
    false,
    false,
  ],
  ['the JSON form, blocked', 'RALPH_STATUS: {"status":"blocked","reason":"no key"}', 'blocked', null, false],
  ['the JSON form in bold', '**RALPH_STATUS**: {"status":"in_progress"}', 'in_progress', null, false],
  ['broken JSON', 'RALPH_STATUS: {"status":"done"', 'none', null, false],
  ['JSON of another kind', 'RALPH_STATUS: {"status":7}', 'none', null, false],
  [
    'fields on one line',
    'RALPH_STATUS TASK: E1-02 STATUS: DONE EXIT_SIGNAL: true END_RALPH_STATUS',
    'done',
    true,
    true,
  ],
  ['a block quote', BLOCK.replaceAll(/^/gm, '> '), 'none', null, false],
  ['a quoted signal', '> EXIT_SIGNAL: true\n\nThat is what the prompt says.', 'none', null, false],
  ['a block announced as an example', `For example:\n\n${BLOCK}\n\nThat is the form.`, 'none', null, false],
  ['an example in the last fence', `This is an example:\n\`\`\`\n${BLOCK}\n\`\`\``, 'none', null, false],
  ['a mention of the block', 'I end with a RALPH_STATUS block as asked.', 'none', null, false],
  ['a name with the marker inside', 'const MY_RALPH_STATUS = 1;\nSTATUS: DONE', 'none', null, false],
  ['a status outside of any block', 'STATUS: DONE', 'none', null, false],
  ['prose alone', 'All done, everything is complete!', 'none', null, false],
  ['an empty block', 'RALPH_STATUS\nEND_RALPH_STATUS', 'none', null, false],
  ['nothing', '', 'none', null, false],
];

describe('status, whatever the output', () => {
  it.each(BOTH)('%s', (_name, text, status, exitSignal, completion) => {
    for (const claim of [structured(text), plain(text)]) {
      expect({ status: claim.status, exitSignal: claim.exitSignal, completion: claim.completion }).toEqual({
        status,
        exitSignal,
        completion,
      });
    }
  });
});

const IN_PROGRESS = 'RALPH_STATUS\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: false\nEND_RALPH_STATUS';
const FENCED_THEN_WORDS = `This is my status:\n\`\`\`\n${BLOCK}\n\`\`\`\nThe rest is still open.`;

describe('where plain text is read differently', () => {
  it.each([
    ['a fence with words behind it', FENCED_THEN_WORDS, false, true],
    ['a fence that shows a file', FENCED_THEN_WORDS.replace('status', 'file says'), false, false],
    ['done after in progress', `${IN_PROGRESS}\n\n${BLOCK}`, false, true],
    ['done before in progress', `${BLOCK}\n\n${IN_PROGRESS}`, false, false],
    ['done after blocked', `${IN_PROGRESS.replace('IN_PROGRESS', 'BLOCKED')}\n\n${BLOCK}`, false, true],
    [
      'done without a signal, after false',
      `${IN_PROGRESS}\nRALPH_STATUS\nSTATUS: DONE\nEND_RALPH_STATUS`,
      false,
      true,
    ],
    ['done, and words against it', `The task is not done yet.\n\n${BLOCK}`, false, true],
    [
      'done, and other words against it',
      `I could not finish the work: the key is missing.\n\n${BLOCK}`,
      false,
      true,
    ],
    ['done, and what is not done elsewhere', `The old list was not done well.\n\n${BLOCK}`, true, true],
    ['progress before a signal', 'Working on src/x EXIT_SIGNAL: true', false, true],
    ['progress glued to a signal', '....EXIT_SIGNAL: true', true, true],
    ['progress rewritten on the line', '10%\r55%\rEXIT_SIGNAL: true', true, true],
    ['a time before a signal', '[12:30:01] EXIT_SIGNAL: true', true, true],
    ['progress glued to a block', `Running 12 tests...${BLOCK}`, true, true],
    ['a word glued to a block', `finished${BLOCK}`, true, true],
  ])('%s', (_name, text, inMessage, inPlainText) => {
    expect(structured(text).completion).toBe(inMessage);
    expect(plain(text).completion).toBe(inPlainText);
  });
});

describe('fields', () => {
  it('reads the task and a reason over several lines', () => {
    const claim = structured(
      'RALPH_STATUS\nTASK: **E1-02**\nSTATUS: BLOCKED\nREASON: the key is\nmissing in the vault\nEND_RALPH_STATUS',
    );
    expect(claim).toMatchObject({
      taskId: 'E1-02',
      status: 'blocked',
      reason: 'the key is missing in the vault',
    });
  });

  it.each(['REASON:', 'REASON: -', 'REASON: none', 'REASON: n/a', 'REASON: (when BLOCKED)'])(
    'takes "%s" for no reason',
    (line) => {
      expect(structured(`RALPH_STATUS\nSTATUS: DONE\n${line}\nEND_RALPH_STATUS`).reason).toBeNull();
    },
  );

  it('reads task and reason of the JSON form', () => {
    const claim = structured('RALPH_STATUS: {"status":"blocked","task":"E1-02","reason":"no key"}');
    expect(claim).toMatchObject({ taskId: 'E1-02', reason: 'no key' });
  });
});

describe('an agent that asks the same again', () => {
  const QUESTION = 'Should README.md be in English or in German? The list does not say.';
  const PROMPT = `In iteration 10, you reported task E1-02 as blocked: \`${QUESTION}\`.\n\n${TEMPLATE}`;
  const blocked = (reason: string) =>
    ['RALPH_STATUS', 'TASK: E1-02', 'STATUS: BLOCKED', `REASON: ${reason}`, 'END_RALPH_STATUS'].join('\n');

  it.each([
    [QUESTION, QUESTION],
    [`${QUESTION} Please decide.`, /Please decide\.$/],
    ['', null],
  ])('is read with its question: %j', (reason, read) => {
    const claim = readClaim(blocked(reason), { plainText: false, prompt: PROMPT, ...TASK });
    expect(claim).toMatchObject({ status: 'blocked', completion: false });
    if (read instanceof RegExp) expect(claim.reason).toMatch(read);
    else expect(claim.reason).toBe(read);
  });
});

describe('the echoed prompt', () => {
  const feedback = 'You said EXIT_SIGNAL: true and wrote nothing:';
  const prompt = [
    '# Task E1-02',
    'Make the parser print EXIT_SIGNAL: true.',
    '',
    '## Previous Iteration Feedback (DO NOT IGNORE)',
    feedback,
    'EXIT_SIGNAL: true',
    BLOCK,
    '',
    'End with this block:',
    TEMPLATE,
  ].join('\n');

  it.each([
    ['as it is', prompt],
    ['with a line end', `${prompt}\n`],
    ['indented', prompt.replaceAll(/^/gm, '    ')],
    ['quoted', prompt.replaceAll(/^/gm, '> ')],
    ['behind bars', prompt.replaceAll(/^/gm, '| ')],
    ['in a box', prompt.replaceAll(/^(.*)$/gm, '│ $1   │')],
    ['with CRLF', prompt.replaceAll('\n', '\r\n')],
    ['in colour', prompt.replaceAll(/^(.*)$/gm, '\u001b[2m$1\u001b[0m')],
    ['without blank lines', prompt.replaceAll(/\n+/g, '\n')],
    ['twice', `${prompt}\n\n${prompt}`],
    ['behind a word', `user: ${prompt}`],
    ['cut at the front', prompt.slice(60)],
    ['from its middle on', prompt.split('\n').slice(4).join('\n')],
    ['in part, with the block in it', prompt.split('\n').slice(5, -8).join('\n')],
    ['with other line breaks', prompt.replaceAll(/\n+/g, ' ').replaceAll(/(.{30,40}) /g, '$1\n')],
    ['as JSON', JSON.stringify({ prompt })],
    [
      'as JSON in pieces',
      prompt
        .split('\n')
        .map((line) => JSON.stringify(line))
        .join(',\n'),
    ],
    ['quoted twice', prompt.replaceAll(/^/gm, '> > ')],
    ['as a comment', prompt.replaceAll(/^/gm, '// ')],
    [
      'with numbers at its lines',
      prompt
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    ],
  ])("%s, isn't a claim", (_name, echo) => {
    const claim = plain(`${echo}\nThinking about it.`, prompt);
    expect(claim).toEqual({
      status: 'none',
      exitSignal: null,
      completion: false,
      taskId: null,
      reason: null,
      claimsWrites: false,
      evidence: [],
    });
  });

  it.each([
    ['on the next line', `${prompt}\n${BLOCK}`],
    ['glued to the echo', `${prompt}${BLOCK}`],
    [
      'alone, equal to the block in the prompt',
      'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS',
    ],
    ['as a lone signal', `${prompt}\nEXIT_SIGNAL: true`],
    ['before the echo', `${BLOCK.replace('parser', 'lexer')}\n${prompt}`],
  ])('leaves the agent its own claim %s', (_name, output) => {
    expect(plain(output, prompt).completion).toBe(true);
  });

  it('takes out a prompt of a few lines only as a whole', () => {
    const short = 'Add a parser.\nEXIT_SIGNAL: true\nis what I want to see.';
    expect(plain(`> ${short.replaceAll('\n', '\n> ')}\nok`, short).completion).toBe(false);
    expect(plain('EXIT_SIGNAL: true', short).completion).toBe(true);
  });

  it("isn't a claim of an agent with structured output either", () => {
    const echo = `I was asked:\n\n${prompt}`;
    expect(readClaim(echo, { plainText: false, prompt, ...TASK }).completion).toBe(false);
  });

  it('leaves structured output its own block', () => {
    expect(
      readClaim(BLOCK, {
        plainText: false,
        prompt,
        task: { id: 'E1-02', title: 'Write the parser' },
        quoted: [],
      }).completion,
    ).toBe(true);
  });
});

describe('the task of a claim', () => {
  const claimed = (named: string, task = TASK.task) =>
    readClaim(BLOCK.replace('E1-02', named), { ...TASK, plainText: false, prompt: '', task }).completion;

  it.each([
    'E1-02',
    'e1-02',
    '`E1-02`',
    'E1-02: Write the parser',
    'Write the parser',
    'write the parser (E1-02)',
    'parser',
    '',
    '-',
  ])('%j is this one', (named) => {
    expect(claimed(named)).toBe(true);
  });

  it.each([
    'E1-03',
    'E1-020',
    'E1',
    'T-7',
    '12',
    'E1-03: Write the parser',
    'Write the lexer and its documentation',
    'lexer',
  ])('%j is another one', (named) => {
    expect(claimed(named)).toBe(false);
    const blocked = BLOCK.replace('E1-02', named).replace('DONE', 'BLOCKED');
    const claim = structured(blocked);
    expect([claim.status, claim.taskId]).toEqual(['none', named]);
  });

  it('is told apart among several', () => {
    const other = BLOCK.replace('E1-02', 'E1-03');
    for (const text of [`${BLOCK}\n\n${other}`, `${other}\n\n${BLOCK}`]) {
      expect([structured(text).completion, plain(text).completion]).toEqual([true, true]);
    }
  });
});

describe('what someone else said', () => {
  const title = 'Print RALPH_STATUS STATUS: DONE EXIT_SIGNAL: true END_RALPH_STATUS in the parser';
  const read = (text: string, quoted: readonly string[] = [], plainText = false) =>
    readClaim(text, { plainText, prompt: '', task: { id: 'E1-02', title }, quoted }).completion;

  it.each([
    `I work on: ${title}`,
    `E1-02: ${title}`,
    'RALPH_STATUS STATUS: DONE EXIT_SIGNAL: true END_RALPH_STATUS',
    'RALPH_STATUS\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS',
    'EXIT_SIGNAL: true',
  ])("in the title isn't a claim: %j", (text) => {
    expect([read(text), read(text, [], true)]).toEqual([false, false]);
  });

  it('leaves room for the claim that is asked for', () => {
    expect([read(BLOCK), read(BLOCK, [], true)]).toEqual([true, true]);
    expect(read('EXIT_SIGNAL: true', ['Your EXIT_SIGNAL: true was ignored.'])).toBe(false);
  });

  it("in feedback isn't a claim", () => {
    const feedback = `You said: ${BLOCK}`;
    expect(readClaim(BLOCK, { ...TASK, plainText: false, prompt: '', quoted: [feedback] }).completion).toBe(
      false,
    );
    const again = BLOCK.replace('10-42', '11-43');
    expect(readClaim(again, { ...TASK, plainText: false, prompt: '', quoted: [feedback] }).completion).toBe(
      true,
    );
    expect(
      readClaim('EXIT_SIGNAL: true', { ...TASK, plainText: false, prompt: '', quoted: [feedback] })
        .completion,
    ).toBe(true);
  });
});

describe('claimsWrites', () => {
  it.each([
    'I created src/parser.ts.',
    "I've implemented the parser.",
    'I have also added tests.',
    'Implemented the parser and its tests.',
    '- Added a parser',
    'Done. Updated the docs.',
    'The parser has been implemented.',
    'src/parser.ts was modified.',
    'The implementation is complete.',
    BLOCK,
  ])('hears it in %j', (text) => {
    expect(structured(text).claimsWrites).toBe(true);
  });

  it.each([
    'I read the code and understand it.',
    'I have not implemented anything.',
    "I didn't create any file.",
    'No files were created.',
    'Nothing was changed.',
    'The parser should be implemented next.',
    'It was already implemented earlier.',
    'I changed nothing.',
    'If I created a file, it would conflict.',
    '> I created src/parser.ts',
    'EXIT_SIGNAL: true',
    'All done!',
    '',
  ])('does not hear it in %j', (text) => {
    expect(structured(text).claimsWrites).toBe(false);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    'RALPH_STATUS',
    'END_RALPH_STATUS',
    '---',
    'STATUS: DONE',
    'STATUS: BLOCKED',
    'EXIT_SIGNAL: true',
    'EXIT_SIGNAL: false',
    'EVIDENCE:',
    '- src/a.ts:1-2',
    'TASK: x',
    '```',
    '~~~',
    '> ',
    '\n',
    '\r\n',
    ' ',
    '**',
    '`',
    '<promise>COMPLETE</promise>',
    'RALPH_STATUS: {"status":"done"}',
    '\u001b[31m',
    'I created src/a.ts',
    '../../x',
    '[a](b.ts#L1)',
    'C:\\x\\y.ts',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 }))).map((parts) => parts.join('')),
  );

  test('is read without a throw, and an explicit false is never completion', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (message, prompt, plainText) => {
        const claim = readClaim(message, {
          plainText,
          prompt,
          task: { id: 'E1-02', title: 'Write the parser' },
          quoted: [],
        });
        expect(claim.exitSignal === false && claim.completion).toBe(false);
        expect(claim.evidence.length).toBeLessThanOrEqual(200);
        for (const item of claim.evidence) {
          expect(item.path).not.toBe('');
          if (item.from !== null) expect(item.to).toBeGreaterThanOrEqual(item.from);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a false at its end, on a line of its own, is heard', () => {
    fc.assert(
      fc.property(text, (message) => {
        fc.pre(!/```|~~~|example|template|sample|look|RALPH_STATUS|>/.test(message));
        expect(structured(`${message}\n\nEXIT_SIGNAL: false`).completion).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['one endless line', 'a'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['openers', 'RALPH_STATUS '.repeat(50_000)],
    ['openers on lines', 'RALPH_STATUS\n'.repeat(50_000)],
    ['signals', 'EXIT_SIGNAL: true '.repeat(50_000)],
    ['unfinished colours', '\u001b['.repeat(300_000)],
    ['backticks', '`'.repeat(1_000_000)],
    ['fences', '```\n'.repeat(200_000)],
    ['slashes and colons', '/:'.repeat(500_000)],
    ['path after path', 'src/a.ts:1-2 '.repeat(80_000)],
    ['brackets', '[](('.repeat(250_000)],
    ['repeated words', 'I created '.repeat(100_000)],
    ['one block of very much', `RALPH_STATUS\nEVIDENCE:\n${'- src/a.ts:1-2, src/b.ts\n'.repeat(40_000)}`],
  ])('ends for %s', (_name, garbage) => {
    const claim = readClaim(garbage, {
      plainText: true,
      prompt: garbage.slice(0, 5000),
      task: { id: 'E1-02', title: 'Write the parser' },
      quoted: [],
    });
    expect(claim.evidence.length).toBeLessThanOrEqual(200);
  });
});
