// `npm run bench [-- ROW ...]`: measures each figure as a ratio to something that is measured alongside it in turns,
// and prints it with the promised value. Exit code 1: a promise isn't kept.
import { append } from './rows/append.mjs';
import { boxStart } from './rows/box-start.mjs';
import { capture } from './rows/capture.mjs';
import { costs } from './rows/cost.mjs';
import { fleet } from './rows/fleet.mjs';
import { gaps, heldPipes } from './rows/gap.mjs';
import { loopMemory } from './rows/loop-memory.mjs';
import { report } from './rows/report.mjs';
import { review } from './rows/review.mjs';
import { rules } from './rows/rules.mjs';
import { select } from './rows/select.mjs';
import { startUp } from './rows/start-up.mjs';
import { transports } from './rows/transports.mjs';
import { workers } from './rows/workers.mjs';
import { cleanUp } from './tools.mjs';

const ROWS = [
  ...costs,
  ...gaps,
  startUp,
  report,
  select,
  append,
  capture,
  loopMemory,
  heldPipes,
  boxStart,
  review,
  rules,
  transports,
  workers,
  fleet,
];

const print = (text) => process.stdout.write(`${text}\n`);

/** Whether a wanted name means a row: `gap` stands for all rows that begin with `gap-`. */
const names = (wanted, id) => wanted === id || id.startsWith(`${wanted}-`);
/** `--peers` isn't a row's name: the row that it is for reads it itself. */
const wanted = process.argv.slice(2).filter((word) => word !== '--peers');
const unknown = wanted.filter((name) => !ROWS.some(({ id }) => names(name, id)));
if (unknown.length > 0) {
  print(`There is no row ${unknown.join(', ')}. Rows: ${ROWS.map(({ id }) => id).join(', ')}.`);
  process.exitCode = 2;
  cleanUp();
} else {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      cleanUp();
      process.exit(130);
    });
  try {
    const kept = [];
    for (const row of ROWS) {
      if (wanted.length > 0 && !wanted.some((name) => names(name, row.id))) continue;
      for (const figure of await row.run()) kept.push(tell(figure));
    }
    const broken = kept.filter((one) => !one).length;
    if (broken > 0) print(`${broken} of ${kept.length} promises NOT KEPT`);
    process.exitCode = broken > 0 ? 1 : 0;
  } finally {
    cleanUp();
  }
}

/** Prints a figure beside its promise; returns whether the promise is kept. */
function tell({ what, value, baseline, unit, rounds, least, atMost, atLeast, atMostAbsolute }) {
  const ratio = value / baseline;
  const figures = unit === '×' ? '' : `${value.toFixed(2)} ${unit} against ${baseline.toFixed(2)} ${unit}, `;
  const [promise, kept] =
    atMostAbsolute !== undefined
      ? [`≤ ${atMostAbsolute} ${unit}`, value <= atMostAbsolute]
      : atLeast !== undefined
        ? [`≥ ${atLeast}`, ratio >= atLeast]
        : [`≤ ${atMost}`, ratio <= atMost];
  const times = rounds === 1 ? 'once' : `${least === true ? 'least' : 'median'} of ${rounds}`;
  print(
    `${what}: ${figures}ratio ${ratio.toFixed(2)} (${times}); promise ${promise}: ${kept ? 'kept' : 'NOT KEPT'}`,
  );
  return kept;
}
