/**
 * Exports on the real stack, one after the other, while turns run and notes are forgotten: each of
 * them is verified with the key and the newest anchor, and is consistent without.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/cli-world.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const TURNS = 50;
const NOTES = ['the violet heron nests behind the mill', 'the copper kettle stands under the stairs'];

const world = await startTestStack({ script: (request) => say(`re ${userTextOf(request)}`) });
afterAll(world.stop);

const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
const ask = async (text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  await world.settled(body.id);
  return body.id;
};

describe('an export while turns run and notes are forgotten', () => {
  it('is verified each time', async () => {
    const file = join(world.dataDir, 'evidence.jsonl');
    const ids: string[] = [];
    for (const note of NOTES) {
      const { replies } = await world.signal(await ask(`/remember ${note}`));
      ids.push(/[0-9a-f]{32}/.exec(replies.join())?.[0] ?? '');
    }
    await world.tick();
    const anchorFile = join(world.dataDir, 'anchors', 'default.txt');
    await until('there is an anchor', () => existsSync(anchorFile));
    const key = (await cli('evidence', 'key')).out.trim();
    let hasEnded = false;
    const turns = (async () => {
      for (let n = 1; n <= TURNS; n += 1) {
        await ask(n % 10 === 5 ? '/recall violet heron' : `message ${n}`);
        const id = n % 20 === 15 ? ids.shift() : undefined;
        if (id !== undefined) await ask(`/forget ${id}`);
      }
      hasEnded = true;
    })();
    let count = 0;
    const anchor = join(world.dataDir, 'anchor.txt');
    for (let isLast = false; !isLast; count += 1) {
      isLast = hasEnded;
      // The newest there is before the export: a later one is of a log the file does not hold.
      copyFileSync(anchorFile, anchor);
      const exported = await cli('evidence', 'export', '--out', file);
      expect({ count, ...exported }).toMatchObject({ count, code: 0, err: '' });
      const verified = await cli('verify', file, '--key', key, '--anchor', anchor);
      expect({ count, ...verified }, verified.out).toMatchObject({ count, code: 0, err: '' });
      expect({ count, ...(await cli('verify', file)) }).toMatchObject({ count, code: 3 });
    }
    await turns;
    expect(ids).toStrictEqual([]);
    expect(count).toBeGreaterThan(1);
  });
});
