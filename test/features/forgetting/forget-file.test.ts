/**
 * Forgetting on one's own machine, to the last byte: once the stack has stopped, no file of its
 * folder holds the words.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';

let folder: string | undefined;
let world: TestStack | undefined;
afterEach(async () => {
  await world?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const WORDS = 'the amber key lies under the third step';

const filesHolding = (dir: string, words: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile())
    .filter((name) => readFileSync(join(dir, name)).includes(words));

const ask = async (stack: TestStack, text: string) => {
  const { body } = await stack.api<{ id: string }>('POST', '/api/messages', { text });
  return stack.settled(body.id);
};

describe('forgetting on the local stack', () => {
  it('leaves no byte of it in any file once the stack has stopped, and the rest of memory as it was', async () => {
    folder = mkdtempSync(join(tmpdir(), 'passepartout-forget-'));
    world = await startTestStack({ isPolling: false, dataDir: folder });
    const kept = await ask(world, `/remember ${WORDS}`);
    await ask(world, '/remember the lock is green');
    const id = /[0-9a-f]{32}/.exec(kept.replies.join(' '))?.[0] ?? '';
    expect((await ask(world, '/recall amber key')).replies.join(' ')).toContain(WORDS);
    expect((await ask(world, `/forget ${id}`)).replies.join(' ')).toContain(`Forgotten: ${id}.`);
    expect(filesHolding(folder, WORDS)).not.toStrictEqual([]);
    await world.stop();
    expect(filesHolding(folder, WORDS)).toStrictEqual([]);
    expect(filesHolding(folder, 'the lock is green')).toStrictEqual(['table.sqlite']);
    world = await startTestStack({ isPolling: false, dataDir: folder });
    expect((await ask(world, '/recall lock')).replies.join(' ')).toContain('the lock is green');
  });
});
