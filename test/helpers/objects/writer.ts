import { writeLoose } from '../../../src/git/objects/loose-objects.ts';

// The program writes 200 objects into this folder.
const [, , folder = ''] = process.argv;
for (let at = 0; at < 200; at += 1) writeLoose(folder, 'sha1', 'blob', Buffer.from(`content ${at}`), false);
