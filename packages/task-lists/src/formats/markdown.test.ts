import { describe, expect, it } from 'vitest';
import { fixture, parsed } from '../../test/fixtures.ts';
import { checkDependencies } from '../index.ts';

const titles = (text: string, path = 'PRD.md') => parsed(text, path).tasks.map((task) => task.title);
const one = (text: string) => parsed(text).tasks[0];

describe('the PRD form', () => {
  const prd = parsed(fixture('prd.md'));

  it('takes the tasks of the Tasks section alone, with ids and statuses', () => {
    expect(prd.format).toBe('markdown-prd');
    expect(prd.holdsBlocked).toBe(true);
    expect(prd.problems.map(({ message }) => message)).toEqual([
      "2 check boxes aren't tasks (lines 5, 48): outside of where tasks are looked for",
    ]);
    expect(prd.tasks.map(({ title, status }) => [title, status])).toEqual([
      ['Parse the arguments', 'done'],
      ['Store notes in a file', 'open'],
      ['Send notes by mail', 'blocked'],
      ['Encrypt the file', 'blocked'],
      ['Search notes', 'in_progress'],
      ['List notes', 'open'],
      ['Delete a note', 'done'],
      ['Count words', 'open'],
    ]);
    expect(prd.tasks.slice(0, 2).map((task) => task.id)).toEqual(['E1-01', 'E1-02']);
    expect(prd.tasks[2]?.id).toMatch(/^t-[0-9a-f]{6}$/);
  });

  it('reads what is indented below a task', () => {
    expect(prd.tasks[1]).toMatchObject({
      acceptance: ['a note survives a restart', 'the file is created on first use'],
      priority: 1,
      dependsOn: ['E1-01'],
      timeoutSeconds: 1800,
      complexity: 'complex',
      expectedPaths: ['src/store.ts', 'src/io/**'],
      gates: ['lint'],
      owner: 'platform team',
      description: 'The file is plain text, one note a line.',
    });
    expect(prd.tasks[4]).toMatchObject({
      kind: 'verify',
      acceptance: ['finds a word in 10,000 notes within a second'],
    });
    expect(prd.tasks[7]?.group).toBe('Later in the same section');
  });

  it.each<[string, string[]]>([
    ['Check: npm test', ['npm test']],
    ['Check: `npm test`', ['npm test']],
    ['- Check: `npm test`\n  - check: `node -e "f()"`', ['npm test', 'node -e "f()"']],
    ['- **Check:** `` echo `date` ``', ['echo `date`']],
    ['- Check: ./run.sh a, b', ['./run.sh a, b']],
    ['- Check: grep -q x y; test -f z', ['grep -q x y; test -f z']],
    ['- Check: CI=1 npm test', ['CI=1 npm test']],
    ['- Check: verify', ['verify']],
  ])('checks: %s', (lines, checks) => {
    expect(one(`- [ ] **T-1** t\n  ${lines}`)).toMatchObject({ checks, acceptance: [], description: '' });
  });

  it.each([
    'Check: the list is empty',
    'Check: all tests pass',
    'Check: `a` and `b` are equal',
    'Check: it works',
    'Checked by hand: nothing',
  ])('no check: %s', (sentence) => {
    expect(one(`- [ ] **T-1** t\n  - ${sentence}`)).toMatchObject({ checks: [], acceptance: [sentence] });
  });

  it("reads the proof that a task asks for, and says where it isn't one", () => {
    expect(one('- [ ] **T-1** t\n  - Proof: `held-out`')).toMatchObject({ proof: 'held-out' });
    expect(parsed('## Tasks\n\n- [ ] **T-1** t\n  - Proof: test\n').problems).toMatchObject([
      {
        line: 4,
        message: 'proof: expected none, gates, tests or held-out, found "test". Did you mean tests?',
      },
    ]);
  });

  it('reads CRLF, a byte-order mark, tabs and a last line without an end', () => {
    const crlf = parsed(fixture('prd-crlf-bom.md'));
    expect(crlf.tasks.map(({ title, status, acceptance }) => [title, status, acceptance])).toEqual([
      ['First', 'open', ['tab below']],
      ['Second', 'done', []],
      ['Third, no end of line', 'open', []],
    ]);
  });

  it('takes the whole file where there is no Tasks section', () => {
    expect(titles('# Things\n- [ ] a\n## More\n- [x] b\n')).toEqual(['a', 'b']);
  });

  it.each([
    ['a fence', '```\n- [ ] no\n```\n- [ ] yes'],
    ['a fence of tildes that holds a fence', '~~~\n```\n- [ ] no\n~~~\n- [ ] yes'],
    ['a longer fence', '````md\n```\n- [ ] no\n```\n````\n- [ ] yes'],
    ['a comment over several lines', '<!-- x\n- [ ] no\n-->\n- [ ] yes'],
    ['a comment in the title', '- [ ] yes <!-- [ ] no -->'],
    ['front matter', '---\ntitle: x\nlist:\n- [ ] no\n---\n- [ ] yes'],
    ['a block quote', '> - [ ] no\n\n- [ ] yes'],
    ['a link list', '- [a](b)\n- [1] reference\n\n- [ ] yes'],
    ['a box that is struck through', '- [ ] ~~T-1: no~~\n- [ ] yes'],
    ['an underlined heading', 'Tasks\n-----\n\n- [ ] yes\n\nNotes\n-----\n\n- [ ] no'],
  ])('finds no task in %s', (_, text) => {
    expect(titles(text)).toEqual(['yes']);
  });

  it('does not take a comment sign in code or in a sentence for a comment', () => {
    expect(titles('- [ ] read `<!--` signs\n- [ ] and <!-- these\n- [ ] too')).toEqual([
      'read `<!--` signs',
      'and <!-- these',
      'too',
    ]);
  });

  it.each([
    ['1 column in is a sibling', '- [ ] a\n - [ ] b', ['a', 'b']],
    ['2 columns in is a criterion', '- [ ] a\n  - [x] b', ['a']],
    ['a tab in is a criterion', '- [ ] a\n\t- [x] b', ['a']],
    ['boxes under a plain bullet are tasks', '- part one\n  - [ ] a\n  - [ ] b', ['a', 'b']],
    ['a heading ends the task', '- [ ] a\n\n# x\n\n  - [ ] b', ['a', 'b']],
    ['a no-break space is a space', '- [ ]\u00a0a\n-\u00a0[ ] b', ['a', 'b']],
  ])('indentation: %s', (_, text, expected) => {
    expect(titles(text)).toEqual(expected);
  });

  it.each([
    ['- [ ]one', '[ ]'],
    ['-[ ] one', '[ ]'],
    ['1.[x] one', '[x]'],
  ])('a box that lacks a blank is to be corrected: %s', (line, box) => {
    const { tasks, problems } = parsed(`${line}\n`);
    expect(tasks).toMatchObject([{ title: 'one', status: 'open' }]);
    expect(problems).toMatchObject([
      { line: 1, message: `a blank is missing beside ${box}; write "- ${box} title"` },
    ]);
  });

  it.each(['- [x](https://example.com)', '- [x][1]', '- [x]: there', '-[a] one', '*[x] one', 'see -[x] one'])(
    'no box: %s',
    (line) => {
      expect(parsed(`${line}\n`)).toMatchObject({ tasks: [], problems: [] });
    },
  );

  it.each([
    ['**E1-02** Title', 'E1-02', 'Title'],
    ['**E1-02:** Title', 'E1-02', 'Title'],
    ['**E1-02**: Title', 'E1-02', 'Title'],
    ['**E1-02** - Title', 'E1-02', 'Title'],
    ['E1-02: Title', 'E1-02', 'Title'],
    ['US_7.1: Title: with colon', 'US_7.1', 'Title: with colon'],
    ['T12: Title', 'T12', 'Title'],
    ['**auth-login** Title', 'auth-login', 'Title'],
    ['**AUTH_LOGIN**: Title', 'AUTH_LOGIN', 'Title'],
    ['**A** Title', 'A', 'Title'],
    ['__T-9__ Title', 'T-9', 'Title'],
    ['**[T-9]** Title', 'T-9', 'Title'],
    ['**1.2** Title', '1.2', 'Title'],
    ['[T-9] Title', 'T-9', 'Title'],
    ['[T-9]: Title', 'T-9', 'Title'],
    ['[T-9](https://example.com/T-9) Title', 'T-9', 'Title'],
    ['[A] Title', 'A', 'Title'],
    ['[US3] Title', 'US3', 'Title'],
    ['(T-9) Title', 'T-9', 'Title'],
    ['T-9 - Title', 'T-9', 'Title'],
    ['T-9 – Title', 'T-9', 'Title'],
    ['T001 Title', 'T001', 'Title'],
    ['T-9 Title', 'T-9', 'Title'],
    ['#12 Title', '#12', 'Title'],
    ['#12: Title', '#12', 'Title'],
    ['[#12] Title', '#12', 'Title'],
    ['**課題-1** Title', '課題-1', 'Title'],
    ['Ü-2: Title', 'Ü-2', 'Title'],
    ['**größe-prüfen** Title', 'größe-prüfen', 'Title'],
    ['**ВХОД_2**: Title', 'ВХОД_2', 'Title'],
    ['**e\u0301te\u0301-1** Title', 'e\u0301te\u0301-1', 'Title'],
  ])('explicit id: %s', (line, id, title) => {
    expect(one(`- [ ] ${line}`)).toMatchObject({ id, title });
  });

  it.each([
    ['**Parser** for dates', '**Parser** for dates'],
    ['Parser: dates', 'Parser: dates'],
    ['Note: see E1-02: there', 'Note: see E1-02: there'],
    ['**All of it is bold**', 'All of it is bold'],
    ['http://example.com is slow', 'http://example.com is slow'],
    ['**Important** fix the login', '**Important** fix the login'],
    ['**API** first', '**API** first'],
    ['**Follow-up** on the login', '**Follow-up** on the login'],
    ['**fix** the login', '**fix** the login'],
    ['**重要** ログイン', '**重要** ログイン'],
    ['**Nach-Prüfung** of it', '**Nach-Prüfung** of it'],
    ['fix: the login', 'fix: the login'],
    ['pre-commit: run it', 'pre-commit: run it'],
    ['[P1] Fix the login', '[P1] Fix the login'],
    ['(A) Fix the login', '(A) Fix the login'],
    ['[high-priority] Fix it', '[high-priority] Fix it'],
    ['(2x) Faster', '(2x) Faster'],
    ['[Link](https://example.com) works', '[Link](https://example.com) works'],
    ['README.md: fix the typos', 'README.md: fix the typos'],
    ['UTF-8 everywhere', 'UTF-8 everywhere'],
    ['T-shirt sizes', 'T-shirt sizes'],
    ['Say hello - and goodbye', 'Say hello - and goodbye'],
    ['**T-9**', 'T-9'],
  ])('no explicit id: %s', (line, title) => {
    const task = one(`- [ ] ${line}`);
    expect(task?.title).toBe(title);
    expect(task?.id).toMatch(/^t-/);
  });

  it.each([
    ['Depends on: 2', ['t-2']],
    ['Depends on: #1 and #2.', ['A-1', 't-2']],
    ['- **Depends on:** A-1 (the parser), a-1', ['A-1']],
    ['Depends on: Task 1, nothing', ['A-1']],
    ['Depends on: none', []],
    ['Depends on: 1 2', ['A-1', 't-2']],
    ['Depends on: 9, B-7', ['9', 'B-7']],
  ])('dependencies: %s', (line, expected) => {
    const { tasks } = parsed(`- [ ] A-1: one\n- [ ] two\n- [ ] three\n  ${line}\n`);
    const named = expected.map((id) => (id === 't-2' ? tasks[1]?.id : id));
    expect(tasks[2]?.dependsOn).toEqual(named);
  });

  it('keeps a bullet that only looks like an attribute, and reports a line that should be one', () => {
    const { tasks, problems } = parsed('- [ ] a\n  - Timeout: the request stops\n  Timeout: half an hour\n');
    expect(tasks[0]?.acceptance).toEqual(['Timeout: the request stops']);
    expect(tasks[0]?.timeoutSeconds).toBeNull();
    expect(problems).toEqual([
      {
        line: 3,
        message: 'timeout: expected seconds or a duration such as "90s", "30m", "2h", found "half an hour"',
        tasks: [tasks[0]?.id],
      },
    ]);
  });

  it.each([
    ['Dependson: x', 'there is no attribute "Dependson". Did you mean "Depends on:"?'],
    ['- Dependancies: A-1, A-2 and A-3', 'Did you mean "Dependencies:"?'],
    ['**Priorty:** high', 'Did you mean "Priority:"?'],
    ['Priotiry: high', 'Did you mean "Priority:"?'],
    ['- Time-out: 30m', 'Did you mean "Timeout:"?'],
    ['Gate: test', 'Did you mean "Gates:"?'],
    ['Knid: verify', 'Did you mean "Kind:"?'],
    ['Priority: hihg', 'priority: expected a number or high, medium, low, found "hihg". Did you mean high?'],
    ['- Priority: hihg', 'Did you mean high?'],
    ['Timeout: 30 minutes', 'found "30 minutes". Did you mean 30m?'],
    ['- Timeout: 5mins', 'Did you mean 5m?'],
    ['Kind: verfy', 'Did you mean verify?'],
    ['Complexity: very hard', 'complexity: expected one word'],
  ])('what looks like an attribute: %s', (line, message) => {
    const { tasks, problems } = parsed(`- [ ] one\n- [ ] two\n  ${line}\n- [ ] three\n`);
    expect(tasks).toHaveLength(3);
    expect(problems).toEqual([{ line: 3, message: expect.stringContaining(message), tasks: [tasks[1]?.id] }]);
  });

  it.each([
    ['Dates: ISO 8601'],
    ['- Node: 20'],
    ['- Games: chess'],
    ['Constants: PI, E'],
    ['Timeline: 3 weeks'],
    ['Property: name'],
    ['Gate: it opens when asked'],
    ['- Priority: items are sorted by it'],
    ['- Timeout: 3 retries and then an error'],
    ['- Kind: what sort of thing it is'],
    ['Example: see above'],
    ['Goal: make it fast'],
  ])('a line that is text: %s', (line) => {
    expect(parsed(`- [ ] two\n  ${line}\n`).problems).toEqual([]);
  });

  it.each([
    ['an unknown mark', '- [?] a', 1, '[?]'],
    ['a box without a mark', '\n- [] a', 2, '[]'],
    ['a box without a title', '- [ ]', 1, 'without a title'],
    ['a fence without an end', '- [ ] a\n```\n- [ ] b', 2, 'code fence'],
    ['a comment without an end', '- [ ] a\n\n<!-- b\n- [ ] c', 3, 'HTML comment'],
  ])('reports %s', (_, text, line, part) => {
    const { problems } = parsed(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).toContain(part);
  });

  it.each(['', '\n\n', '\uFEFF', 'just prose'])('finds nothing in %j', (text) => {
    expect(parsed(text).tasks).toEqual([]);
  });
});

describe('the fix_plan form', () => {
  it('takes priorities from sections and leaves the optional ones out', () => {
    const plan = parsed(fixture('fix_plan.md'), 'fix_plan.md');
    expect(plan.format).toBe('markdown-plan');
    expect(plan.tasks.map(({ title, priority, status }) => [title, priority, status])).toEqual([
      ['Crash on an empty file', 1, 'open'],
      ['Wrong exit code', 1, 'done'],
      ['Slow start', 2, 'open'],
      ['Typo in the help', 3, 'open'],
      ['Project set up', null, 'done'],
    ]);
  });

  it.each([
    ['High availability', null],
    ['Low-level parts', null],
    ['Priority: High', 1],
    ['Critical', 1],
    ['1. Medium (soon)', 2],
  ])('heading %s', (heading, priority) => {
    expect(parsed(`## ${heading}\n- [ ] a\n`, 'fix_plan.md').tasks[0]?.priority).toBe(priority);
  });

  it.each([
    ['Optional chaining', 1],
    ['Future-proof dates', 1],
    ['Optional / later', 0],
    ['Ideas (nice to have)', 0],
    ['Nice-to-haves', 0],
  ])('heading %s holds %i tasks', (heading, count) => {
    expect(parsed(`## ${heading}\n- [ ] a\n`, 'fix_plan.md').tasks).toHaveLength(count);
  });
});

describe('the Task N form', () => {
  it('makes a task of each heading, done when all of its boxes are ticked', () => {
    const plan = parsed(fixture('plan-tasks.md'), 'docs/plan.md');
    expect(plan.format).toBe('markdown-tasks');
    expect(plan.tasks.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['1', 'Set up the project', 'done'],
      ['2', 'Read the file', 'open'],
      ['3', 'Write the file', 'open'],
      ['4', 'Document it', 'open'],
    ]);
    expect(plan.tasks[1]).toMatchObject({
      acceptance: ['happy path', 'missing file'],
      description: '- an empty file is fine',
      dependsOn: ['1'],
    });
    expect(plan.tasks[2]?.acceptance).toEqual(['atomic', 'keeps the mode']);
  });

  it.each([
    ['- [x] a\n- [-] b', 'blocked'],
    ['- [!] a\n- [~] b', 'blocked'],
    ['- [x] a\n- [~] b', 'in_progress'],
    ['- [x] a\n- [X] b', 'done'],
    ['- [x] a\n- [ ] b', 'open'],
  ])('boxes %j say %s', (boxes, status) => {
    expect(one(`### Task 1: t\n${boxes}\n`)?.status).toBe(status);
  });

  it.each([
    ['### Task 1: t [x]', 'done', 't'],
    ['### Task 1: t [-] ##', 'blocked', 't'],
    ['### [~] Task 1: t', 'in_progress', 't'],
    ['## Task 1.2 - [x] t', 'done', 't'],
    ['### Task 1: E2-04: t', 'open', 't'],
  ])('heading %s', (heading, status, title) => {
    expect(one(heading)).toMatchObject({ status, title });
  });

  const STORIES = `# PRD

## User stories

### US-001: Add a login
**Description:** As a user, I want to sign in.

**Acceptance Criteria:**
- [ ] Typecheck passes
- [ ] Works

### US-002: Add a logout [-]

#### Acceptance criteria

- [ ] Works
`;

  it('a heading with an id is a task where the boxes below are its acceptance criteria', () => {
    const { tasks, problems } = parsed(STORIES);
    expect(problems).toEqual([]);
    expect(tasks).toMatchObject([
      {
        ...{ id: 'US-001', title: 'Add a login', status: 'open' },
        ...{ description: 'As a user, I want to sign in.', acceptance: ['Typecheck passes', 'Works'] },
      },
      { id: 'US-002', title: 'Add a logout', status: 'blocked', acceptance: ['Works'] },
    ]);
  });

  it.each([
    ['headings that group lists', '## E1: Base\n- [ ] one\n## E2: Top\n- [ ] two\n', ['one', 'two']],
    [
      'criteria of the whole',
      '# Plan\n## Acceptance Criteria\n- [ ] one\n## E1: Base\n- [ ] two\n',
      ['one', 'two'],
    ],
    [
      'an id over headings with ids',
      '## E1: Base\n### E1-1: One\nAcceptance criteria\n- [ ] a\n### E1-2: Two\n- [ ] b\n## E2: Top\n',
      ['One', 'Two', 'Top'],
    ],
  ])('%s', (_name, text, titlesOf) => {
    expect(parsed(text).tasks.map(({ title }) => title)).toEqual(titlesOf);
  });

  it('gives a repeated number an id of its own and says so', () => {
    const { tasks, problems } = parsed('### Task 1: a\n### Task 1: b\n');
    expect(tasks[0]?.id).toBe('1');
    expect(tasks[1]?.id).toMatch(/^t-/);
    expect(problems[0]).toMatchObject({ line: 2 });
  });
});

describe('numbers in front of titles', () => {
  const idsOf = (...titles: string[]) =>
    parsed(titles.map((title) => `- [ ] ${title}`).join('\n')).tasks.map(({ id, title }) => `${id}|${title}`);
  it.each<[string, string[], string[]]>([
    [
      'dotted ones are ids',
      ['1.1 Make it', '1.2 **Test it**', 'Ship'],
      ['1.1|Make it', '1.2|Test it', 't-|Ship'],
    ],
    ['plain ones, where each box begins with one of its own', ['1. Make', '2. Test'], ['1|Make', '2|Test']],
    ['not where one has none', ['1. Make', 'Test'], ['t-|1. Make', 't-|Test']],
    ['not where one is there twice', ['1.1 Make', '1.1 Test'], ['t-|1.1 Make', 't-|1.1 Test']],
    ['not in a single title', ['3 retries for uploads'], ['t-|3 retries for uploads']],
  ])('%s', (_, titles, expected) => {
    expect(idsOf(...titles).map((line) => line.replace(/^t-[0-9a-f]{6}/, 't-'))).toEqual(expected);
  });
});

describe('a box below a task that the list leaves out', () => {
  const list = (mark: string) =>
    `- [ ] T-1: Notes\n  - [ ] kept in a file\n  - [${mark}] sent by mail\n    - to all\n    once a day\n  - [x] sorted\n`;
  const read = (mark: string, path: string) => {
    const [task] = parsed(list(mark), path).tasks;
    return { acceptance: task?.acceptance, ticked: task?.ticked, without: task?.without };
  };

  it.each(['-', '!'])("[%s] isn't a criterion, nor is what stands below it", (mark) => {
    expect(read(mark, 'PRD.md')).toEqual({
      acceptance: ['kept in a file', 'sorted'],
      ticked: [1],
      without: [`sent by mail ([${mark}])`],
    });
  });

  it.each([
    ['~', 'PRD.md'],
    ['-', '.kiro/specs/notes/tasks.md'],
    ['-', 'openspec/changes/notes/tasks.md'],
  ])('[%s] in %s is work that is not done yet', (mark, path) => {
    expect(read(mark, path)).toMatchObject({
      acceptance: expect.arrayContaining(['sent by mail']),
      without: [],
    });
  });

  it.each([
    ['- ~~sent by mail~~\n    - to all', ['~~sent by mail~~'], ['kept']],
    ['- [ ] ~~sent by mail~~', ['~~sent by mail~~'], ['kept']],
    ['- [x] ~~sent by mail~~', [], ['~~sent by mail~~', 'kept']],
    ['- ~~by mail~~ sent by ~~hand~~', [], ['~~by mail~~ sent by ~~hand~~', 'kept']],
  ])("%j isn't a criterion where all of it is struck through", (line, without, acceptance) => {
    const [task] = parsed(`- [ ] T-1: Notes\n  ${line}\n  - kept\n`).tasks;
    expect(task).toMatchObject({ without, acceptance });
  });

  it('is named where another task depends on it, and keeps its id where it is done', () => {
    const list = (mark: string) => `- [${mark}] ~~T-1: a~~\n- [ ] T-2: b\n  Depends on: T-1\n`;
    const { tasks, givenUp } = parsed(list(' '));
    expect(tasks.map(({ id }) => id)).toEqual(['T-2']);
    const [problem] = checkDependencies(tasks, () => null, givenUp);
    expect(problem?.message).toContain('T-2 depends on T-1, which the list gives up');
    expect(parsed(list('x'))).toMatchObject({
      tasks: [{ id: 'T-1', title: 'a', status: 'done' }, { id: 'T-2' }],
      problems: [],
    });
  });

  it('is a step like others below a heading, where the mark says that the task is blocked', () => {
    const [task] = parsed('### Task 1: t\n- [-] a\n- [ ] b\n', 'plan.md').tasks;
    expect(task).toMatchObject({ status: 'blocked', acceptance: ['a', 'b'], without: [] });
  });
});

describe('what a task depends on', () => {
  const depends = (below: string, path = 'PRD.md') =>
    parsed(`- [ ] T-1: a\n- [ ] T-2: b\n- [ ] T-3: c\n${below}`, path).tasks[2];

  it.each([
    ['a list below a label', '  - **Depends on:**\n    - T-1\n    - T-2: the parser\n', ['T-1', 'T-2'], []],
    ['a list below a plain label', '  Depends on:\n  - T-1 (the parser)\n  - T-2\n', ['T-1', 'T-2'], []],
    ['boxes below a label', '  - Blocked by:\n    - [ ] T-1\n', ['T-1'], []],
    [
      'a box about a task, beside one that names it',
      '  Depends on:\n  - [ ] T-1\n  - [ ] T-2 is named in the help\n',
      ['T-1'],
      ['T-2 is named in the help'],
    ],
    ['what follows the list', '  - Depends on:\n    - T-1\n  - T-2 is named\n', ['T-1'], ['T-2 is named']],
    ['a task that is not there, among others', '  - Depends on:\n    - T-1\n    - T-9\n', ['T-1', 'T-9'], []],
    ['what has to be installed', '  - Dependencies:\n    - zod 4\n    - Node 20\n', [], ['zod 4', 'Node 20']],
    ['two lines', '  Depends on: T-1\n  Blocked by: T-2\n', ['T-1', 'T-2'], []],
    ['a name in italics', '  - *Depends on:* T-1\n  - _Blocked by_: T-2\n', ['T-1', 'T-2'], []],
    ['ids with blanks between', '  Depends on: T-1 T-2\n', ['T-1', 'T-2'], []],
    ['a reason', '  Depends on: T-1 because of T-2\n', ['T-1'], []],
    ...[
      'T-1 + T-2',
      'T-1+T-2',
      'T-1 & T-2',
      'T-1&T-2',
      'T-1/T-2',
      'T-1 / T-2',
      'T-1; T-2',
      'T-1 | T-2',
      'T-1 -> T-2',
      'T-1 → T-2',
      'T-1, then T-2',
      'T-1 or T-2',
      'T-1 plus T-2',
      'T-1, and T-2',
      'both T-1 and T-2',
      '(T-1, T-2)',
      '[T-1, T-2]',
      '`T-1` + **T-2**',
      'T-1 (the parser) + T-2 (the printer)',
      'T-1 + task T-2',
    ].map((value): [string, string, string[], string[]] => [
      value,
      `  Depends on: ${value}\n`,
      ['T-1', 'T-2'],
      [],
    ]),
    ['a part that is no task', '  Depends on: T-1/T-9\n', ['T-1', 'T-9'], []],
    ['an id with a slash', '  Depends on: auth/T-1\n', ['auth/T-1'], []],
    [
      'words with signs',
      '  Depends on: T-1 (C++ & its headers, both), T-2 — lexer + parser\n',
      ['T-1', 'T-2'],
      [],
    ],
  ])('%s', (_, below, dependsOn, acceptance) => {
    expect(depends(below)).toMatchObject({ dependsOn, acceptance });
  });

  it.each([
    ['(depends: T-1, T-2)', ['T-1', 'T-2']],
    ['(dependencies: T-1)', ['T-1']],
    ['(deps: T-1 and T-2)', ['T-1', 'T-2']],
    ['with dependencies: zod 4', []],
  ])('a title that ends with "%s"', (words, dependsOn) => {
    expect(parsed(`- [ ] T-1: a\n- [ ] T-2: b\n- [ ] T-3: c ${words}\n`).tasks[2]).toMatchObject({
      dependsOn,
    });
  });
});
