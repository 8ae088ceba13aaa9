// Draws docs/pictures: ralph's output in a terminal, and the page of a report. `npm run pictures`
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNight, until } from './pictures/night.mjs';
import { chromium, photograph } from './pictures/photograph.mjs';
import { drawn, onTerminal, printed } from './pictures/terminal.mjs';

const root = new URL('..', import.meta.url).pathname;
const bin = join(root, 'bin/ralph.js');
const pictures = join(root, 'docs/pictures');
const folder = mkdtempSync(join(tmpdir(), 'ralph-picture-'));
const { CI: _, NO_COLOR: __, ...env } = process.env;

const save = (name, content) => writeFileSync(join(pictures, name), content);

const COMMITS = ['1d2710d2a3', 'ca13194e39'];

/** Replaces ids of runs and commits by ones that are the same each time. */
function lasting(text) {
  const made = [...new Set(text.match(/(?<=committed )[0-9a-f]{10}/g))];
  const same = made.reduce((one, commit, at) => one.replaceAll(commit, COMMITS[at] ?? commit), text);
  return same.replaceAll(/\br-\d{8}-\d{6}-[a-z0-9]{4}\b/g, 'r-20260120-220000-k3v9');
}

async function drawDemo() {
  const columns = 80;
  const output = execFileSync(process.execPath, [bin, 'demo'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...{ ...env, FORCE_COLOR: '1', COLUMNS: String(columns), XDG_STATE_HOME: join(folder, 'demo') },
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'init.defaultBranch', GIT_CONFIG_VALUE_0: 'main' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const title = 'ralph demo: an agent that lies twice, and is caught';
  save('demo.svg', drawn(await printed(lasting(`$ ralph demo\n${output}`), columns), { columns, title }));
}

/** Draws the full screen as soon as it shows a text. */
async function drawScreen(night, name, { title, rows, shows }) {
  const columns = 100;
  const at = onTerminal(night.ralph('watch'), { ...night, columns, rows });
  for (const [expected, then = () => undefined] of shows) {
    await until(() => expected.test(at.text()), `the screen shows ${expected}`);
    then();
  }
  // The last line is always empty, so it is left out.
  save(name, drawn(at.lines().slice(0, -1), { columns, title }));
  at.type('q');
  await at.ended;
}

function photographPage(night) {
  const program = chromium();
  if (program === null) {
    process.stderr.write('The pictures of the page are left as they are: chromium was not found.\n');
    return;
  }
  const file = join(folder, 'report.html');
  const [node, ...args] = night.ralph('report', '--html', file);
  execFileSync(node, args, { ...night, stdio: 'ignore' });
  writeFileSync(file, lasting(readFileSync(file, 'utf8')));
  for (const [name, dark] of [
    ['page.png', false],
    ['page-dark.png', true],
  ]) {
    // The size in pixels reaches down to the end of the timeline.
    const size = { width: 1100, height: 1360 };
    photograph(program, { file, image: join(pictures, name), dark, ...size, profile: join(folder, name) });
  }
}

mkdirSync(pictures, { recursive: true });
let night = null;
try {
  await drawDemo();
  night = openNight(folder, { bin, env });
  await night.evening();
  await drawScreen(night, 'screen.svg', {
    title: 'ralph watch: three workers at work, and two tasks that need you',
    rows: 38,
    // The screen looks for changes by attempts every few seconds, so the picture waits for them.
    shows: [[/▶ 3 T-/, () => night.setClock(16)], [/(1 file changed \+[\s\S]*){3}/]],
  });
  await night.rest();
  night.setClock(9 * 60);
  await drawScreen(night, 'morning.svg', {
    title: 'ralph watch: the morning after, with two tasks that need you',
    rows: 30,
    shows: [[/Needs you/]],
  });
  photographPage(night);
} finally {
  night?.stop();
  rmSync(folder, { recursive: true, force: true });
}
