import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IGNORE_RULES } from '../../../src/app/setup/ignore-rules.ts';
import { guidance, openTestStore } from '../../helpers/crash/test-store.ts';
import { makeRepository, temporaryFolder } from '../../helpers/repository.ts';

const RECORDS = [
  'journal.jsonl',
  'journal/1.gz',
  'state.json',
  'metrics.json',
  'interventions/events.json',
  'runs/r-1/run.json',
  'run.lock',
  '.state.json.1.tmp',
];

/** A repository whose `.ralph/.gitignore` holds these bytes, after a first record; with what ralph said about it. */
function recordedBeside(bytes: string | Buffer) {
  const repository = makeRepository(null);
  const file = repository.path('.ralph/.gitignore');
  mkdirSync(repository.path('.ralph'));
  writeFileSync(file, bytes);
  const options = { ignoreRules: IGNORE_RULES };
  const record = () => {
    const { store, notices } = openTestStore(repository.path('.ralph'), temporaryFolder(), {
      ...options,
      onNotice: (text) => said.push(text),
    });
    store.commit(() => [guidance('one')]);
    return notices;
  };
  const said: string[] = [];
  record();
  const seen = (names: readonly string[]) => {
    for (const name of names) repository.write(`.ralph/${name}`, 'x');
    const shown = repository.git('ls-files', '-z', '--others', '--exclude-standard').split('\0');
    return names.filter((name) => shown.includes(`.ralph/${name}`));
  };
  return { file, said, record, seen };
}

describe('a .gitignore of yours', () => {
  it.each([
    ['empty', ''],
    ['with rules of another program', '# mine\nlogs/\n*.bak\n'],
    ['without an end of line', 'logs/\nreceipts/'],
    ['of Windows', 'logs/\r\nreceipts/\r\n'],
    ['with some of the rules', '/journal.jsonl*\nruns\nstate.json\n'],
    ['in another encoding', Buffer.from([0x23, 0xe9, 0x0a, 0xff, 0x2f, 0x0a])],
  ])('%s keeps its bytes and hides all records', (_, before) => {
    const { file, said, seen } = recordedBeside(before);
    const after = readFileSync(file);
    expect(after.subarray(0, before.length)).toEqual(Buffer.from(before));
    expect(seen(RECORDS)).toEqual([]);
    expect(said).toEqual([expect.stringMatching(/^\.ralph\/\.gitignore: \d+ rules added below your lines/)]);
  });

  it('of Windows is completed with its ends of lines', () => {
    const { file } = recordedBeside('logs/\r\n');
    expect(readFileSync(file, 'utf8').split('\r\n')).toContain('/journal.jsonl*');
  });

  it.each([
    ['that has all of them', IGNORE_RULES],
    [
      'that has all of them and more, in its own order',
      `${IGNORE_RULES.split('\n').toReversed().join('\n')}\nlogs/\n`,
    ],
    ['that ignores the whole folder', '*\n!PRD.md\n!ralph.toml\n'],
  ])('%s stays as it is', (_, before) => {
    const { file, said, record } = recordedBeside(before);
    record();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(said).toEqual([]);
  });

  it('is completed once, and a rule that you turned round stays turned round', () => {
    const { file, seen, said, record } = recordedBeside('!/metrics.json\n');
    const after = readFileSync(file, 'utf8');
    expect(seen(RECORDS)).toEqual(['metrics.json']);
    record();
    expect(readFileSync(file, 'utf8')).toBe(after);
    expect(said).toHaveLength(1);
  });

  it("keeps its mode, and what isn't a plain file stays", () => {
    const dir = `${temporaryFolder()}/.ralph`;
    mkdirSync(dir);
    const link = `${dir}/.gitignore`;
    symlinkSync('elsewhere', link);
    openTestStore(dir, temporaryFolder(), { ignoreRules: IGNORE_RULES }).store.commit(() => [
      guidance('one'),
    ]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);

    const repository = makeRepository(null);
    const file = repository.path('.gitignore');
    repository.write('.gitignore', 'logs/\n');
    chmodSync(file, 0o640);
    openTestStore(repository.root, temporaryFolder(), { ignoreRules: IGNORE_RULES }).store.commit(() => [
      guidance('one'),
    ]);
    expect(lstatSync(file).mode & 0o777).toBe(0o640);
  });
});
