// Puts a tree back and tells when it begins and how it ended, to be killed in between.
import { writeSync } from 'node:fs';
import { openTestGit } from '../open-test-git.ts';

const [root = '', tree = ''] = process.argv.slice(2);

const git = await openTestGit(root);
const kept = await git.keepForRestore(tree, 'trial');
writeSync(1, 'begin\n');
const outcome = await git.restore(tree, kept);
writeSync(1, `end ${JSON.stringify(outcome)}\n`);
