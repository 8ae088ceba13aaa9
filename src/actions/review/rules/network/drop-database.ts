import { judgeEffects } from '../../rule.ts';

/** Databases, tables and all of their rows stay. */
export const preventDroppingDatabases = judgeEffects(
  {
    name: 'prevent_dropping_databases',
    essential: true,
    ruling: 'deny',
    finds: 'Drops or empties databases, tables, collections or keys, or changes all rows of a table.',
    instead: 'A migration, a condition that names the rows, or a database of the test alone.',
  },
  (effect) =>
    effect.kind === 'destroys' && effect.what === 'database'
      ? `"${effect.shown}" drops data, and no checkpoint brings it back. Write a migration, name the rows by a condition, or leave it to the user.`
      : null,
);
