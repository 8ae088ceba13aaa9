import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { doesTheWork, says, shell } from './talk.ts';

/** Codex keeps its commands from writing into `.git`, and refuses `rm -f` itself. */
const CLEAN = 'git checkout -- . ; git show HEAD:src/index.js > src/index.js; rm src/notes.txt';
const EDITED = 'export {};\nexport const mine = 1;\n';

const WITHOUT_BOX = '[box]\nmode = "off"\n';

describe.each(agents())('$name', (agent) => {
  it.each(['', WITHOUT_BOX])(
    'removes the temporary files that it made, and nothing counts against it (%j)',
    async (config) => {
      const outcome = await runWith(agent, {
        name: config === '' ? 'removes-its-temporary-files' : 'removes-its-temporary-files-without-a-box',
        config,
        scenario: (place) => ({
          turns: [
            says('A try.', shell('f=$(mktemp) && echo a > "$f" && cat "$f" && rm "$f"')),
            says('A folder.', shell('mkdir -p "$TMPDIR/mild-build" && touch "$TMPDIR/mild-build/a"')),
            says('It goes.', shell('rm -r "$TMPDIR/mild-build"')),
            says('And one that is gone already.', shell('rm /tmp/mild-not-there')),
            ...doesTheWork(place, { isBoxed: config === '' }),
          ],
        }),
      });
      const [record] = outcome.iterations;
      expect(record?.facts.review).toMatchObject({ mode: 'hook', denied: 0, harmless: 0, unreviewed: null });
      expect(record?.decisions.findings).toEqual([]);
      expect(record?.decisions.verdict).toEqual({ kind: 'done' });
    },
  );

  it('that checks files out over your edits does so in its copy alone', async () => {
    const outcome = await runWith(agent, {
      name: 'checks-out-over-edits',
      // The review denies it before it happens.
      config: '[review]\nenabled = false\n',
      edits: { 'src/index.js': EDITED, 'src/notes.txt': 'mine\n' },
      scenario: (place) => ({
        turns: [says('I start clean.', shell(CLEAN)), ...doesTheWork(place)],
      }),
    });
    const [record] = outcome.iterations;
    expect([outcome.read('src/index.js'), outcome.read('src/notes.txt')]).toEqual([EDITED, 'mine\n']);
    expect(outcome.read('src/hello.txt')).toBe('hello from the agent\n');
    expect(record?.decisions.findings).toEqual([]);
    expect(record?.decisions.verdict).toEqual({ kind: 'done' });
  });
});
