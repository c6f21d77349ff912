/** Writes a journal on a disk that is full for a while. The sandbox of its test has a small one. */
import { rmSync, writeFileSync } from 'node:fs';
import { openJournal } from '../../infra/runner/journal.ts';
import { signJob } from '../../lib/runner/job.ts';
import { act, buildJob } from './jobs.ts';

const lineOf = (cmd: string) => ({ kind: 'job', at: 1, signed: signJob(act, buildJob('shell', { cmd })) }) as const;
const { journal } = await openJournal('/disk/journal.jsonl');
writeFileSync('/disk/filler', Buffer.alloc(40 * 1024));
let problem = '';
try {
  journal.append(lineOf('x'.repeat(60 * 1024)));
} catch (error) {
  problem = String(error);
}
rmSync('/disk/filler');
const second = lineOf('after');
journal.append(second);
const { journal: again } = await openJournal('/disk/journal.jsonl');
process.stdout.write(JSON.stringify({ problem, isKnown: again.knows(second.signed) }));
