import { type Leftover, NO_OWN_FILES, type RunPlace } from 'ralph-actions/forms/place';
import { leftoversAfter } from 'ralph-actions/review';
import { ADAPTERS } from 'ralph-agents';
import { nameOf, parentOf } from 'ralph-kit/paths';
import { describe, expect, it } from 'vitest';
import { openReview } from '../../../src/loop/watch/review-session.ts';
import { actionOf } from '../../helpers/action.ts';
import { REVIEWER } from '../../helpers/reviewing.ts';

const BEGAN = 1000;
const BEFORE = 500;
const LATER = 2000;
const NEXT = 3000;

type Times = Readonly<Record<string, number | null>>;

/** One action: a command, or a file that is written; then what lies where once it has ended. */
type Step = {
  readonly run?: string;
  readonly write?: string;
  readonly there?: Times;
};

/** What the rulings are: `allow`, `deny` where it counts, `caution` where it doesn't. */
async function rulings(
  steps: readonly Step[],
  before: readonly string[] = [],
  more: {
    readonly own?: boolean;
    readonly links?: Readonly<Record<string, string>>;
    readonly detect?: true;
    /** The task's next attempt, with the files that exist by then. */
    readonly next?: { readonly steps: readonly Step[]; readonly there?: Times };
  } = {},
): Promise<{
  readonly ruled: string[];
  readonly denied: number;
  readonly harmless: number;
  readonly ended: () => boolean;
}> {
  const born = new Map(['/', '/tmp', '/home', '/home/me', '/repo', ...before].map((path) => [path, BEFORE]));
  const lie = (there: Times) => {
    for (const [path, at] of Object.entries(there)) at === null ? born.delete(path) : born.set(path, at);
  };
  const ruled: string[] = [];
  let ended = false;
  const place: RunPlace = {
    root: '/repo',
    home: '/home/me',
    protectedFolders: ['/home/me/state'],
    restricted: null,
    tmpdir: more.own ? { path: '/tmp/t', own: true } : { path: '/tmp', own: false },
    bornAt: (path) => born.get(path) ?? null,
    textSince: () => null,
    entries: (folder) => [...born.keys()].filter((path) => parentOf(path) === folder).map(nameOf),
    realPath: (path) => {
      const link = Object.entries(more.links ?? {}).find(([at]) => path === at || path.startsWith(`${at}/`));
      return link === undefined ? path : link[1] + path.slice(link[0].length);
    },
  };
  const attempt = async (played: readonly Step[], beganAt: number, leftovers: readonly Leftover[]) => {
    const session = openReview({
      review: more.detect
        ? { mode: 'detect', why: 'no hook' }
        : { mode: 'hook', contract: ADAPTERS.claude.hook },
      ...REVIEWER,
      ...{ beganAt, place, leftovers },
      onReview: ({ answer, harmless }) => {
        ruled.push(answer === 'block' ? (harmless ? 'caution' : 'deny') : 'allow');
      },
    });
    void session.halted.then(() => {
      ended = true;
    });
    for (const { run, write, there = {} } of played) {
      const action =
        write === undefined ? actionOf('Bash', { command: run }) : actionOf('Write', { file_path: write });
      if (more.detect) session.onEvent({ kind: 'tool_call', action });
      else await session.onMessage({ kind: 'action', request: '1', action });
      lie(there);
    }
    return session.facts();
  };
  const { denied, harmless, left } = await attempt(steps, BEGAN, []);
  if (more.next !== undefined) {
    lie(more.next.there ?? {});
    await attempt(more.next.steps, NEXT, left);
  }
  return { ruled, denied, harmless, ended: () => ended };
}

const MADE = { '/tmp/x': LATER };

describe('what the attempt made', () => {
  it.each<[string, Step]>([
    ['mkdir', { run: 'mkdir /tmp/x', there: MADE }],
    ['mkdir -p of a folder in it', { run: 'mkdir -p /tmp/x/deep/er', there: MADE }],
    ['a redirect', { run: 'npm test > /tmp/x 2>&1', there: MADE }],
    ['tee', { run: 'npm test | tee /tmp/x', there: MADE }],
    ['cp', { run: 'cp -r src /tmp/x', there: MADE }],
    ['touch', { run: 'touch /tmp/x', there: MADE }],
    ['git clone', { run: 'git clone -q . /tmp/x', there: MADE }],
    ['git worktree add', { run: 'git worktree add /tmp/x -b try', there: MADE }],
    ['tar -x', { run: 'mkdir -p /tmp/x && tar -xzf a.tgz -C /tmp/x', there: MADE }],
    ['python -m venv', { run: 'python3 -m venv /tmp/x', there: MADE }],
    ['a program of which nothing is known', { run: 'some-tool --out=/tmp/x', there: MADE }],
    ['curl', { run: 'curl -sSo /tmp/x http://localhost/', there: MADE }],
    ['inline code', { run: `python3 -c 'open("/tmp/x", "w").write("1")'`, there: MADE }],
    ['its write tool', { write: '/tmp/x', there: MADE }],
    ['a script that it wrote there', { write: '/tmp/x/run.sh', there: MADE }],
    ['a stream without a hook', { run: 'mkdir /tmp/x', there: MADE }],
  ])('by %s may be removed later', async (_, step) => {
    const more = _.startsWith('a stream') ? { detect: true as const } : {};
    expect((await rulings([step, { run: 'rm -rf /tmp/x' }], [], more)).ruled).toEqual(['allow', 'allow']);
    expect((await rulings([step, { run: 'cd /tmp/x && rm -f out.log' }], [], more)).ruled).toEqual([
      'allow',
      'allow',
    ]);
  });

  it.each<[string, Step[], string[]]>([
    ['in one command', [{ run: 'mkdir /tmp/x && ls /tmp/x && rm -rf /tmp/x' }], ['allow']],
    ['by the name of mktemp', [{ run: 'f=$(mktemp) && echo a > "$f" && rm -f "$f"' }], ['allow']],
    ['by a trap', [{ run: `d=$(mktemp -d)\ntrap 'rm -rf "$d"' EXIT\necho "$d"` }], ['allow']],
    [
      'by a trap that stands in front of it',
      [{ run: `trap 'rm -f "$f"' EXIT\nf=$(mktemp)\necho a > "$f"` }],
      ['allow'],
    ],
    ['by the number of the shell', [{ run: 'mkdir /tmp/x-$$ && rm -rf /tmp/x-$$' }], ['allow']],
    ['by a name that nothing has', [{ run: 'rm -rf /tmp/x-$$ "/tmp/x.$(date +%s)"' }], ['allow']],
    ['but not by one that others may have', [{ run: 'rm -rf /tmp/other$$ /tmp/$$' }], ['deny']],
    [
      'by a function of a trap',
      [{ run: `d=$(mktemp -d)\nclean() { rm -rf "$d"; }\ntrap clean EXIT\necho "$d"` }],
      ['allow'],
    ],
    [
      'by the path that mktemp printed',
      [
        { run: 'mktemp -d', there: { '/tmp/tmp.aB3': LATER } },
        { run: 'rm -rf /tmp/tmp.aB3' },
        { run: 'rm -rf /tmp/tmp.old' },
      ],
      ['allow', 'allow', 'deny'],
    ],
    [
      'by a pattern for nothing else',
      [
        {
          run: 'touch /tmp/out-1.log /tmp/out-2.log',
          there: { '/tmp/out-1.log': LATER, '/tmp/out-2.log': LATER },
        },
        { run: 'rm -f /tmp/out-*.log' },
        { run: 'rm -rf /tmp/*' },
      ],
      ['allow', 'allow', 'deny'],
    ],
    [
      'as a worktree beside the repository',
      [
        { run: 'git worktree add ../wt -b try', there: { '/wt': LATER } },
        { run: 'git worktree remove --force ../wt' },
      ],
      ['allow', 'allow'],
    ],
    [
      'by moving it into the repository',
      [{ run: 'some-tool > /tmp/x', there: MADE }, { run: 'mv /tmp/x src/made.txt' }],
      ['allow', 'allow'],
    ],
  ])('may be removed %s', async (_, steps, ruled) => {
    expect((await rulings(steps, ['/tmp/tmp.old', '/tmp/others'])).ruled).toEqual(ruled);
  });

  it('is all that lies in a $TMPDIR of its own, but not that folder', async () => {
    const steps = [
      { run: 'rm "$TMPDIR"/a.txt' },
      { run: 'rm -rf "$TMPDIR/build"' },
      { run: 'rm -rf "$TMPDIR"/*' },
    ];
    expect((await rulings(steps, [], { own: true })).ruled).toEqual(['allow', 'allow', 'allow']);
    // In another folder nothing exists that the deletion could remove.
    expect((await rulings(steps.slice(0, 2))).ruled).toEqual(['allow', 'allow']);
  });
});

describe('what was there before the attempt', () => {
  it.each<[string, Step[]]>([
    ['mkdir -p', [{ run: 'mkdir -p /tmp/x' }]],
    ['a redirect', [{ run: 'echo > /tmp/x' }]],
    ['touch', [{ run: 'touch /tmp/x' }]],
    ['its write tool', [{ write: '/tmp/x' }]],
    ['a file that it wrote in it', [{ write: '/tmp/x/new.txt', there: { '/tmp/x/new.txt': LATER } }]],
    ['a program that was given it', [{ run: 'some-tool /tmp/x' }]],
    ['a program that was given what holds the repository', [{ run: 'some-tool / /repo/..' }]],
  ])('stays, whatever %s did there', async (_, steps) => {
    const { ruled, denied } = await rulings([...steps, { run: 'rm -rf /tmp/x' }], ['/tmp/x']);
    expect([ruled.at(-1), denied]).toEqual(['deny', 1]);
  });

  it('stays where a link of its own leads there', async () => {
    const steps = [
      { run: 'ln -s /home/me/docs /tmp/x', there: MADE },
      { run: 'rm -rf /tmp/x/' },
      { run: 'rm -rf /tmp/x/a' },
    ];
    const links = { '/tmp/x': '/home/me/docs' };
    expect((await rulings(steps, ['/home/me/docs', '/home/me/docs/a'], { links })).ruled).toEqual([
      'allow',
      'deny',
      'deny',
    ]);
  });

  it('stays where it is deleted beside a file of its own', async () => {
    const steps = [
      { run: 'touch /tmp/x', there: MADE },
      { run: 'rm -rf /tmp/x /home/me/docs' },
      { run: 'rm -rf /' },
    ];
    expect((await rulings(steps, ['/home/me/docs'])).ruled).toEqual(['allow', 'deny', 'deny']);
  });

  it('counts where something harmless is denied in the same command', async () => {
    expect((await rulings([{ run: 'rm -f /tmp/nothing /home/me/notes.txt' }])).ruled).toEqual(['deny']);
  });

  it('is not made by an action that was denied', async () => {
    const steps = [{ run: 'mkdir /home/me/new; rm -rf /home/me/docs' }, { run: 'rm -rf /home/me/new' }];
    expect((await rulings(steps, ['/home/me/docs'])).ruled).toEqual(['deny', 'deny']);
  });
});

describe('what an earlier attempt left', () => {
  const remove = [{ run: 'rm -rf /tmp/x' }];

  it.each<[string, Step[], { there?: Times }, string]>([
    ['may be removed', [{ run: 'mkdir /tmp/x', there: MADE }], {}, 'allow'],
    ['by mktemp', [{ run: 'mktemp -d /tmp/xXXXX', there: { '/tmp/xAbCd': LATER } }], {}, 'allow'],
    [
      'stays where something else lies there by now',
      [{ run: 'mkdir /tmp/x', there: MADE }],
      { there: { '/tmp/x': LATER + 500 } },
      'deny',
    ],
    [
      'stays where it was there before',
      [{ run: 'mkdir -p /tmp/x', there: { '/tmp/x': BEFORE } }],
      {},
      'deny',
    ],
  ])('%s', async (_, steps, next, expected) => {
    const run = steps[0]?.run?.startsWith('mktemp') ? [{ run: 'rm -rf /tmp/xAbCd' }] : remove;
    expect((await rulings(steps, [], { next: { steps: run, ...next } })).ruled.at(-1)).toBe(expected);
  });

  it('may be removed by the attempt after the next one, too', () => {
    const place = { bornAt: () => LATER, entries: () => [] };
    const left = leftoversAfter({ ...NO_OWN_FILES, paths: ['/tmp/x'] }, [], place, BEGAN);
    expect(leftoversAfter({ ...NO_OWN_FILES, paths: ['/tmp/x'] }, left, place, NEXT)).toEqual(left);
    expect(left).toEqual([{ path: '/tmp/x', bornAt: LATER }]);
  });
});

describe('temporary files that are not there', () => {
  it.each([
    'rm /tmp/not-there',
    'rm -rf /tmp/build-*',
    'rm -rf /var/tmp/mine/out',
    'rm -rf /tmp/x && mkdir /tmp/x',
  ])('may be removed: %s', async (run) =>
    expect(await rulings([{ run }])).toMatchObject({ ruled: ['allow'], denied: 0, harmless: 0 }),
  );
});

describe('a denial for caution alone', () => {
  it.each([
    'rm -rf /tmp/$NAME',
    `python3 -c 'import shutil, tempfile; d = tempfile.mkdtemp(); shutil.rmtree(d)'`,
  ])('counts for nothing: %s', async (run) => {
    expect(await rulings([{ run }, { run }, { run }])).toMatchObject({ denied: 0, harmless: 3 });
    const watched = await rulings([{ run }], [], { detect: true });
    expect(watched.ended()).toBe(false);
    const counted = await rulings([{ run: 'rm -rf /srv/data' }], [], { detect: true });
    expect(counted.ended()).toBe(true);
  });

  it.each(['rm -rf "$DIR"', 'rm -rf ~/x', 'rm -rf /srv/data', 'rm -rf /tmp/../home/me/x', 'rm -rf .ralph'])(
    'is not one: %s',
    async (run) => {
      expect(await rulings([{ run }])).toMatchObject({ ruled: ['deny'], denied: 1, harmless: 0 });
    },
  );
});
