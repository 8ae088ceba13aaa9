import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify, classifyByTable, levelsOf } from '../../../src/decide/timing/index.ts';
import { settingsOf, taskOf } from './settings.ts';

const LEVELS = levelsOf(settingsOf());
const criteria = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const levelOfTitle = (title: string) => classify(taskOf(title), LEVELS).level;

describe('classify', () => {
  it.each([
    ['Fix the login', 'simple'],
    ['Update the settings', 'simple'],
    ['Test the login', 'medium'],
    ['Fixtures of the shop', 'medium'],
    ['New CLI', 'complex'],
    ['Commands for the archive', 'complex'],
    ['Parser', 'complex'],
    ['Dashboards', 'ui_heavy'],
    ['SwiftUI views', 'ui_heavy'],
    ['Charts of the week', 'ui_heavy'],
    ['something else entirely', 'medium'],
    ['', 'medium'],
  ])('knows the keywords, also in the plural: %s', (title, level) => {
    expect(levelOfTitle(title)).toBe(level);
  });

  it.each(['Review', 'Previews', 'Overview of it', 'Build', 'Suite', 'Guidelines'])(
    'finds no View and no UI in %s',
    (title) => {
      expect(classifyByTable(taskOf(title), LEVELS).matches).toEqual([]);
      expect(levelOfTitle(title)).not.toBe('ui_heavy');
    },
  );

  it.each([
    ['Fix typo in the header', 'simple'],
    ['Write tests for the DateRangePicker', 'medium'],
    ['Fix race condition in the queue', 'complex'],
    ['Migrate sessions to the new store', 'complex'],
    ['Dark mode for the settings page', 'ui_heavy'],
    ['Modal jumps when the keyboard opens', 'ui_heavy'],
  ])('weighs what is to be done against what it is done to: %s', (title, level) => {
    expect(levelOfTitle(title)).toBe(level);
  });

  it.each([
    ['Dashboard with charts', 'ui_heavy'],
    ['Add CLI command parser', 'complex'],
    ['Write test fixtures', 'medium'],
    ['Fix typo', 'simple'],
  ])('finds what the specification says of %s', (title, level) => {
    expect(classify(taskOf(title), LEVELS)).toMatchObject({ level, source: 'words' });
  });

  it.each([
    ['Update Dashboard', 'ui_heavy'],
    ['Fix View', 'ui_heavy'],
    ['Refactor SwiftUI', 'ui_heavy'],
    ['Fix typo in the dashboard header', 'ui_heavy'],
    ['Fix the DASHBOARDS.', 'ui_heavy'],
    ['Fix: (view)', 'ui_heavy'],
    ["Fix the dashboard's title", 'ui_heavy'],
    ['fix(ui): typo', 'ui_heavy'],
    ['Bump web-ui to 2.1', 'ui_heavy'],
    ['Rename SettingsView', 'ui_heavy'],
    ['Rename sales_chart', 'ui_heavy'],
    ['Rename UIButton', 'ui_heavy'],
    ['Charts', 'ui_heavy'],
    ['修复View', 'ui_heavy'],
    ['Dashboard ändern', 'ui_heavy'],
    ['Update CLI', 'complex'],
    ['Refactor parser', 'complex'],
    ['Bump the parser to 2.1', 'complex'],
    ['docs(cli): mention the flag', 'complex'],
    ['Fix CSVParser', 'complex'],
    ['Fix typo in a fixture', 'medium'],
    ['Rename the mocks', 'medium'],
  ])('a keyword of the table in the title is a floor: %s is %s', (title, level) => {
    const found = classify(taskOf(title), LEVELS);
    expect(found).toMatchObject({ level, source: 'words' });
    expect(found.matches[0]?.level).toBe(level);
  });

  it.each([
    'Fix typo in barn',
    'Review the typo',
    'Fix typo in preview',
    'Fix typo of the reviewer',
    'Fix typo: guide',
    'Fix typo: commander',
    'Fix typo: clip',
    'Fix typo: contest',
    'Fix typo: hammock',
    'Fix typo: interviews',
  ])('no keyword inside of another word is a floor: %s', (title) => {
    const table = classifyByTable(taskOf(title), LEVELS);
    expect(table.matches.filter(({ level }) => level !== 'simple')).toEqual([]);
    expect(levelOfTitle(title)).toBe('simple');
  });

  it.each([
    'with',
    'number',
    'thing',
    'improve',
    'bar',
    'Improve things with numbers',
    'Do something with the bar',
    'The thing with the number',
    'Improve it',
    'Make the thing better',
    'ダッシュボード',
    'Das da drüben',
    'Улучшить',
    '42',
    '🎉',
  ])('fillers, and words that ralph does not know, say nothing: %s', (title) => {
    expect(classify(taskOf(title), LEVELS)).toMatchObject({
      level: 'medium',
      source: 'default',
      matches: [],
      reason: 'medium (default)',
    });
  });

  it("fillers aren't a reason beside words that say something", () => {
    const { reason, matches } = classify(
      taskOf('Improve the thing with drag and drop in the sidebar'),
      LEVELS,
    );
    expect(reason).toMatch(/^ui_heavy: '(?:drag|sidebar)' \(title\)/);
    expect(matches.map(({ word }) => word)).not.toContain('thing');
  });

  it("a keyword in the description isn't a floor", () => {
    const task = taskOf('Fix the typo', { description: 'The Dashboard says "helo".' });
    expect(classify(task, LEVELS).level).toBe('simple');
  });

  it('weighs the title against the description, and says what spoke for which level', () => {
    const task = taskOf('Fix the greeting', { description: 'On the Dashboard view, above the chart.' });
    const found = classify(task, LEVELS);
    expect(found).toMatchObject({ level: 'simple', source: 'words', raised: false });
    expect(found.matches[0]).toEqual({ word: 'Fix', where: 'title', level: 'simple' });
    expect(found.matches).toContainEqual({ word: 'Dashboard', where: 'description', level: 'ui_heavy' });
    expect(found.reason).toBe("simple: 'Fix' (title)");
  });

  it('names forms as the task spells them, each once', () => {
    const found = classify(taskOf('Session lifetime 15d → 30D', { description: 'See auth.Yml' }), LEVELS);
    expect(found.level).toBe('simple');
    expect(found.matches).toContainEqual({ word: '15d → 30D', where: 'title', level: 'simple' });
    expect(found.matches.filter(({ word }) => word === 'auth.Yml')).toHaveLength(1);
  });

  it('reads description and criteria where the title says nothing', () => {
    const task = taskOf('Second thoughts', {
      description: 'People drag cards on the board.',
      acceptance: ['Works in the Dashboard'],
    });
    const found = classify(task, LEVELS);
    expect(found.level).toBe('ui_heavy');
    expect(found.matches).toContainEqual({ word: 'Dashboard', where: 'criteria', level: 'ui_heavy' });
    expect(found.matches).toContainEqual({ word: 'drag', where: 'description', level: 'ui_heavy' });
  });

  it.each([
    ['Fix it', 3, 'simple', false],
    ['Fix it', 4, 'medium', true],
    ['Test it', 4, 'complex', true],
    ['Miscellany', 4, 'complex', true],
    ['Parser', 9, 'complex', false],
    ['Dashboard', 9, 'ui_heavy', false],
  ])('%s with %i criteria is %s', (title, count, level, raised) => {
    const found = classify(taskOf(title, { acceptance: criteria(count) }), LEVELS);
    expect(found).toMatchObject({ level, raised, criteria: count });
    if (raised) expect(found.reason).toContain(`raised for ${count} criteria`);
  });

  it.each([
    ['complex', 'complex'],
    ['UI heavy', 'ui_heavy'],
    [' Ui-Heavy ', 'ui_heavy'],
  ])('takes the level that the task states: %j', (complexity, level) => {
    const task = taskOf('Fix it', { complexity, acceptance: criteria(5) });
    expect(classify(task, LEVELS)).toMatchObject({ level, source: 'task', raised: false });
  });

  it.each([
    ['ui_hevy', 'did you mean ui_heavy?'],
    ['impossible', 'there are simple, medium, complex, ui_heavy'],
    ['constructor', 'there are'],
  ])('says so where the task states no level: %s', (complexity, hint) => {
    const found = classify(taskOf('Dashboard', { complexity }), LEVELS);
    expect(found).toMatchObject({ level: 'medium', source: 'default', matches: [] });
    expect(found.reason).toContain(JSON.stringify(complexity));
    expect(found.reason).toContain(hint);
  });

  it.each(['Encrypt tokens at rest', 'Rotate the tokens'])(
    '%s: one word outside of the table makes no user interface',
    (title) => {
      expect(levelOfTitle(title)).not.toBe('ui_heavy');
    },
  );

  describe("with the user's keywords", () => {
    const levels = levelsOf(
      settingsOf({
        complexity: {
          ui_heavy: { keywords: ['Widget'] },
          simple: { keywords: ['C++', 'landing zone'] },
          research: { keywords: ['spike', 'Widget'] },
        },
      }),
    );

    it.each([
      ['A spike on the parser', 'research', 'the word of an own level'],
      ['Rename the landing zones', 'simple', 'a phrase, in the plural too'],
      ['Parser for C++ and more commands', 'simple', 'before built-in words of more weight'],
      ['Parser for C and more commands', 'complex', 'no other word'],
      ['Dashboard chart', 'medium', 'which replace the built-in ones of the level'],
      ['Widgets', 'research', 'the highest level of several'],
    ])('%s: %s, by %s', (title, level) => {
      expect(classify(taskOf(title), levels).level).toBe(level);
    });

    it('that are those of the table take nothing away from the other levels', () => {
      const seed = levelsOf(
        settingsOf({ complexity: { simple: { keywords: ['fix', 'update', 'refactor', 'add'] } } }),
      );
      expect(classify(taskOf('Add a CLI command for exports'), seed).level).toBe('complex');
    });

    it('says nothing of a level by the form of the text once its keywords are given', () => {
      const title = 'Pool size 10 → 20';
      expect(levelOfTitle(title)).toBe('simple');
      expect(classify(taskOf(title), levels).level).toBe('medium');
    });
  });

  const word = fc.constantFrom(
    ...'fix rename dashboard parser tests css deadlock review materialized view 404 → `x` a_b( to 4.5 C++ [web] ui: ß'.split(
      ' ',
    ),
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  );

  it('never throws, and always gives a level with a reason', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(text, { maxLength: 5 }),
        fc.option(text),
        (title, description, acceptance, complexity) => {
          const found = classify({ title, description, acceptance, complexity }, LEVELS);
          expect(LEVELS.map(({ name }) => name)).toContain(found.level);
          expect(found.reason).toMatch(new RegExp(`^${found.level}(?:: | [(]default)`));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is never below a keyword of the title, whatever the words weigh', () => {
    const anyModel = fc.constantFrom('simple', 'medium', 'complex', 'ui_heavy', null).map((level) => {
      const ruling = level === null ? null : { level, deciding: [], others: [] };
      return () => ruling;
    });
    const rank = (level: string) => LEVELS.findIndex(({ name }) => name === level);
    fc.assert(
      fc.property(text, text, anyModel, (title, description, rule) => {
        const floor = classifyByTable(taskOf(title), LEVELS);
        const found = classify(taskOf(title, { description }), LEVELS, rule).level;
        if (floor.source === 'words') expect(rank(found)).toBeGreaterThanOrEqual(rank(floor.level));
        else expect(found).toBe(rule()?.level ?? 'medium');
      }),
      { numRuns: 300 },
    );
  });

  it('is what the task states, also below a keyword of its title', () => {
    const task = taskOf('Update Dashboard', { complexity: 'simple' });
    expect(classify(task, LEVELS)).toMatchObject({ level: 'simple', source: 'task' });
  });

  it('is never lowered by more than three criteria', () => {
    const texts = fc.array(text, { minLength: 4, maxLength: 6 });
    fc.assert(
      fc.property(text, text, texts, (title, description, acceptance) => {
        const rank = (list: string[]) => {
          const task = taskOf(title, { description, acceptance: list });
          return LEVELS.findIndex(({ name }) => name === classify(task, LEVELS).level);
        };
        expect(rank(acceptance)).toBeGreaterThanOrEqual(rank([acceptance.join('\n')]));
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on upper and lower case', () => {
    const ascii = fc.array(word, { maxLength: 10 }).map((words) => words.join(' ').replace('ß', ''));
    fc.assert(
      fc.property(ascii, ascii, (title, description) => {
        const level = classify(taskOf(title, { description }), LEVELS).level;
        const upper = taskOf(title.toUpperCase(), { description: description.toUpperCase() });
        expect(classify(upper, LEVELS).level).toBe(level);
      }),
      { numRuns: 200 },
    );
  });
});

describe('classifyByTable', () => {
  it.each([
    ['Fix the parser of the dashboard', 'ui_heavy'],
    ['Fix the parser', 'complex'],
    ['Add tests', 'medium'],
    ['Rename it', 'medium'],
    ['Fix it', 'simple'],
  ])('the highest level with a keyword: %s is %s', (title, level) => {
    expect(classifyByTable(taskOf(title), LEVELS).level).toBe(level);
  });

  it('goes by the title where it has a keyword, else by the rest', () => {
    const description = 'the Dashboard';
    expect(classifyByTable(taskOf('Fix it', { description }), LEVELS).level).toBe('simple');
    expect(classifyByTable(taskOf('Mend it', { description }), LEVELS).level).toBe('ui_heavy');
  });
});
