import { writeLoose } from '../../../src/io/git/objects/loose-objects.ts';

// Writes 200 objects into the folder of objects that it is given.
const [, , folder = ''] = process.argv;
for (let at = 0; at < 200; at += 1) writeLoose(folder, 'sha1', 'blob', Buffer.from(`content ${at}`), false);
