// Writes the JSON Schemas of ralph's files, made from the zod schemas: node scripts/schemas.mjs [FOLDER]
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';
import { schemaText, shareSchema } from './share-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] === undefined ? join(root, 'schemas') : resolve(process.argv[2]);

const SOURCE = `
import * as z from 'zod/mini';
import { configJsonSchema } from './config/index.ts';
import { TaskListDocument } from './domain/records/choice.ts';
import * as documents from './state/documents.ts';
import { IterationRecord } from './domain/records/iteration.ts';
import { JournalBody } from './domain/records/journal.ts';
import { PlanAnswer } from './domain/plan.ts';
import { ProfileDocumentV1 } from './domain/records/profile.ts';
import { ReviewRecord } from 'ralph-actions/forms/record';
import { InputsDocument, RunRecord } from './domain/records/run-record.ts';
import { Receipt } from './domain/receipt.ts';
import { Scenario } from './domain/scenario.ts';

const JournalLine = z.intersection(z.object({ seq: z.int(), at: z.string(), mac: z.string() }), JournalBody);
const schema = (type, title) => {
  const { $schema, ...rest } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return { $schema, title, ...rest };
};
const { $schema, ...config } = configJsonSchema();

export const ofConfig = { $schema, title: '.ralph/ralph.toml', ...config };
export const schemas = {
  'state.v1.schema.json': schema(documents.StateDocument, '.ralph/state.json'),
  'metrics.v1.schema.json': schema(documents.MetricsDocument, '.ralph/metrics.json'),
  'events.v1.schema.json': schema(documents.EventsDocument, '.ralph/interventions/events.json'),
  'profile.v1.schema.json': schema(ProfileDocumentV1, '.ralph/interventions/profile.json of one agent, as ralph-gold writes it'),
  'profile.v2.schema.json': schema(documents.ProfileDocument, '.ralph/interventions/profile.json'),
  'lessons.v1.schema.json': schema(documents.LessonsDocument, '.ralph/lessons.json'),
  'recovery.v1.schema.json': schema(documents.RecoveryDocument, '.ralph/recoveries/RS-NNN.json'),
  'iteration.v1.schema.json': schema(IterationRecord, '.ralph/runs/RUN/iterations/NNNN/iteration.json'),
  'review.v1.schema.json': schema(ReviewRecord, 'A line of .ralph/runs/RUN/iterations/NNNN/reviews.jsonl'),
  'run.v1.schema.json': schema(RunRecord, '.ralph/runs/RUN/run.json'),
  'inputs.v1.schema.json': schema(InputsDocument, '.ralph/runs/RUN/inputs-HASH.json'),
  'tasks.v1.schema.json': schema(TaskListDocument, '.ralph/runs/RUN/tasks-HASH.json'),
  'journal-line.v1.schema.json': schema(JournalLine, 'A line of .ralph/journal.jsonl'),
  'plan.v1.schema.json': schema(PlanAnswer, 'A plan of tasks, as an agent answers with it'),
  'receipt.v1.schema.json': schema(Receipt, 'A receipt of ralph verify: the in-toto Statement in its envelope'),
  'scenario.v1.schema.json': schema(Scenario, 'A scenario of the scripted agent'),
};
`;

const { ofConfig, schemas } = await importSource(SOURCE);
// Editors of TOML read one part of the schema at a time, and some don't follow references, so it is written without
// `$defs`.
const texts = { 'config.schema.json': schemaText(ofConfig) };
for (const [name, schema] of Object.entries(schemas)) texts[name] = schemaText(shareSchema(schema));

mkdirSync(folder, { recursive: true });
// A schema that is no longer made is removed.
for (const name of readdirSync(folder)) {
  if (name.endsWith('.schema.json') && !(name in texts)) rmSync(join(folder, name));
}
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), `${text}\n`);
