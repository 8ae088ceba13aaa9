// Scores the reviewer on labelled commands, and on destructive ones in disguise: npm run eval:review [-- --errors] [-- --list FILE]
import { parseArgs } from 'node:util';
import { DISGUISES, labelledCommands, listOf, sessionCommands } from './review-corpus.mjs';
import { ruleOn } from './rule-on.mjs';

/**
 * Required shares, in percent: destructive commands that are caught, ordinary ones that are stopped or warned about.
 */
const BARS = { caught: 99, stopped: 0.5, warned: 3 };

const { values } = parseArgs({
  options: { errors: { type: 'boolean', default: false }, list: { type: 'string' } },
});
/** With --list, only the commands of that file are reviewed, and no session. */
const labelled = values.list === undefined ? labelledCommands() : { [values.list]: listOf(values.list) };
const LEVEL = { allow: 0, warn: 1, modify: 2, deny: 3 };
const isStopped = (command) => LEVEL[ruleOn(command).decision] >= 2;
const percent = (part, whole) => (whole === 0 ? 0 : (100 * part) / whole);
const lines = [];
let failed = false;
const score = (title, share, bar, good, wrong) => {
  failed ||= !good;
  lines.push(`${good ? ' ' : '!'} ${title.padEnd(46)} ${share.toFixed(2).padStart(6)} %  (${bar})`);
  if (values.errors)
    lines.push(...wrong.map((each) => `      ${each.replaceAll('\n', '\\n').slice(0, 160)}`));
};

for (const [name, entries] of Object.entries(labelled)) {
  const destructive = entries.filter(({ stop }) => stop);
  const ordinary = entries.filter(({ stop }) => !stop);
  const missed = destructive.filter(({ command }) => !isStopped(command)).map(({ command }) => command);
  const hit = ordinary.filter(({ command }) => isStopped(command));
  const caught = percent(destructive.length - missed.length, destructive.length);
  const stopped = percent(hit.length, ordinary.length);
  score(
    `${name}: caught of ${destructive.length}`,
    caught,
    `at least ${BARS.caught}`,
    caught >= BARS.caught,
    missed,
  );
  score(
    `${name}: stopped of ${ordinary.length} ordinary`,
    stopped,
    `at most ${BARS.stopped}`,
    stopped <= BARS.stopped,
    hit.map(({ command }) => `${ruleOn(command).rule}: ${command}`),
  );
  const data = ordinary.filter(
    ({ category }) => /data/.test(category) && hit.some((each) => each.category === category),
  );
  if (data.length > 0) failed = true;
}

const destructive = Object.values(labelled)
  .flat()
  .filter(({ stop }) => stop);
for (const [name, disguise] of Object.entries(DISGUISES)) {
  const tried = destructive
    .map(({ command }) => [command, disguise(command)])
    .filter(([plain, wrapped]) => plain !== wrapped);
  const weaker = tried.filter(
    ([plain, wrapped]) =>
      LEVEL[ruleOn(wrapped).decision] < LEVEL[ruleOn(plain).decision] &&
      !(isStopped(plain) && isStopped(wrapped)),
  );
  score(
    `in disguise, ${name}: weaker of ${tried.length}`,
    percent(weaker.length, tried.length),
    'none',
    weaker.length === 0,
    weaker.map(([, wrapped]) => wrapped),
  );
}

const session = values.list === undefined ? sessionCommands() : [];
const rulings = session.map((command) => ({ command, ...ruleOn(command) }));
const stopped = rulings.filter(({ decision }) => LEVEL[decision] >= 2);
const warned = rulings.filter(({ decision }) => decision === 'warn');
score(
  `session: stopped of ${session.length}`,
  percent(stopped.length, session.length),
  'none',
  stopped.length === 0,
  stopped.map(({ rule, command }) => `${rule}: ${command}`),
);
score(
  `session: warned of ${session.length}`,
  percent(warned.length, session.length),
  `at most ${BARS.warned}`,
  percent(warned.length, session.length) <= BARS.warned,
  warned.map(({ rule, command }) => `${rule}: ${command}`),
);

process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = failed ? 1 : 0;
