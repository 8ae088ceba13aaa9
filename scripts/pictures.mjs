// Draws docs/pictures/demo.svg: `ralph demo` as a terminal of 80 columns shows it. `npm run pictures`
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LINE = 18;
const MARGIN = 16;
const CHARACTER = 8.4;
const COLUMNS = 80;
/** Fills by the codes of ECMA-48, "select graphic rendition". */
const FILLS = { 31: '#f47067', 32: '#57ab5a', 33: '#c69026', 36: '#39c5cf' };

const RENDITION = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'ralph-picture-'));
const output = execFileSync(process.execPath, [join(root, 'bin/ralph.js'), 'demo'], {
  cwd: folder,
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: String(COLUMNS), XDG_STATE_HOME: join(folder, 'state') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
rmSync(folder, { recursive: true });

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of output as text with its colours; colours never go on in the next line. */
function drawn(line, index) {
  let [fill, weight, opacity] = [null, null, null];
  const parts = line.split(RENDITION).map((part, at) => {
    if (at % 2 === 1) {
      for (const code of part.split(';')) {
        if (code === '' || code === '0') [fill, weight, opacity] = [null, null, null];
        else if (code === '1') weight = 'bold';
        else if (code === '2') opacity = '0.65';
        else if (code === '22') [weight, opacity] = [null, null];
        else if (code === '39') fill = null;
        else fill = FILLS[code] ?? fill;
      }
      return '';
    }
    const style = { fill, 'font-weight': weight, 'fill-opacity': opacity };
    const given = Object.entries(style).filter(([, value]) => value !== null);
    const attributes = given.map(([name, value]) => ` ${name}="${value}"`).join('');
    if (part === '') return '';
    return attributes === '' ? escaped(part) : `<tspan${attributes}>${escaped(part)}</tspan>`;
  });
  return `<text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}" xml:space="preserve">${parts.join('')}</text>`;
}

const lines = ['$ ralph demo', ...output.trimEnd().split('\n')];
const size = { width: Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN), height: lines.length * LINE + 2 * MARGIN };
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#cdd9e5">
<title>ralph demo: an agent that lies twice, and is caught</title>
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
${lines.map(drawn).join('\n')}
</svg>
`;
mkdirSync(join(root, 'docs/pictures'), { recursive: true });
writeFileSync(join(root, 'docs/pictures/demo.svg'), svg);
