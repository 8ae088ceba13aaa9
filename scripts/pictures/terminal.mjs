import { spawn } from 'node:child_process';
import xterm from '@xterm/headless';

const LINE = 18;
const MARGIN = 16;
const CHARACTER = 8.4;
const GROUND = '#1c2128';
const TEXT = '#cdd9e5';
/** Fill colours by the number of a colour in a terminal's palette. */
const FILLS = { 1: '#f47067', 2: '#57ab5a', 3: '#c69026', 6: '#39c5cf' };

export const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs a program on a pseudo-terminal of a size, and returns what its screen shows. */
export function onTerminal(command, { cwd, env, columns, rows }) {
  const line = `stty cols ${columns} rows ${rows}; exec ${command.map(quoted).join(' ')}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  child.stdout.on('data', (data) => terminal.write(data));
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    ended,
    type: (keys) => child.stdin.write(keys),
    lines: () => linesOf(terminal),
    text: () =>
      linesOf(terminal)
        .map((runs) => runs.map(({ text }) => text).join(''))
        .join('\n'),
  };
}

/** Returns a program's output as a terminal with this number of columns shows it. */
export async function printed(text, columns) {
  const rows = text.split('\n').length * 2;
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(text, resolve));
  const lines = linesOf(terminal);
  return lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1);
}

/** Returns each line as runs of cells that look alike: the first column, the text and the style of each run. */
function linesOf(terminal) {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, at) => runsOf(active.getLine(active.baseY + at)));
}

function runsOf(line) {
  const runs = [];
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line.getCell(column);
    const text = cell.getWidth() === 0 ? '' : cell.getChars() || ' ';
    const style = styleOf(cell);
    const last = runs.at(-1);
    if (last !== undefined && last.key === JSON.stringify(style)) {
      last.text += text;
      last.columns += 1;
    } else runs.push({ column, columns: 1, text, style, key: JSON.stringify(style) });
  }
  while (runs.length > 0 && runs.at(-1).text.trim() === '' && !runs.at(-1).style.inverse) runs.pop();
  const end = runs.at(-1);
  if (end !== undefined && !end.style.inverse) end.text = end.text.trimEnd();
  return runs;
}

function styleOf(cell) {
  return {
    fill: cell.isFgPalette() ? (FILLS[cell.getFgColor() % 8] ?? null) : null,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const at = (column) => Number((MARGIN + column * CHARACTER).toFixed(1));

/** Returns the lines of a terminal as an SVG drawing. */
export function drawn(lines, { columns, title }) {
  const [width, height] = [Math.ceil(columns * CHARACTER + 2 * MARGIN), lines.length * LINE + 2 * MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>
${lines.map(drawnLine).join('\n')}
</svg>
`;
}

function drawnLine(runs, row) {
  const top = MARGIN + LINE * row;
  const grounds = runs
    .filter(({ style }) => style.inverse)
    .map(({ column, columns, style }) => {
      const size = `width="${Number((columns * CHARACTER).toFixed(1))}" height="${LINE}"`;
      return `<rect x="${at(column)}" y="${top}" ${size} fill="${style.fill ?? TEXT}"/>`;
    });
  // Each run is placed separately, so that a font with other widths moves nothing but the end of a run.
  const parts = runs.map(({ column, text, style }) => {
    const attributes = {
      x: column === 0 ? null : at(column),
      fill: style.inverse ? GROUND : style.fill,
      'font-weight': style.bold ? 'bold' : null,
      'fill-opacity': style.dim ? '0.65' : null,
    };
    const given = Object.entries(attributes).filter(([, value]) => value !== null);
    if (given.length === 0) return escaped(text);
    return `<tspan${given.map(([name, value]) => ` ${name}="${value}"`).join('')}>${escaped(text)}</tspan>`;
  });
  return `${grounds.join('')}<text x="${MARGIN}" y="${top + LINE * 0.75}" xml:space="preserve">${parts.join('')}</text>`;
}
