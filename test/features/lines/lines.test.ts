/** The line below answers in a chat that asked for it, on the real stack. */
import { afterAll, expect, it } from 'vitest';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import { say } from '../../support/model-server.ts';
import { signalIdOf, startTestStack } from '../../support/stack.ts';

const OWNER = 7_451;
const world = await startTestStack({ allowedChats: [OWNER], approvers: [OWNER], script: () => say('Four.') });
afterAll(world.stop);

const write = async (text: string) =>
  (await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)))).replies.join();

it('stands below each answer of the chat from /lines on until /lines off, in its language', async () => {
  expect(await write('what is two and two?')).toBe('Four.');
  expect(await write('/lines on')).toContain('Below my answers in this chat one line says');
  const figures = new RegExp(`^Four\\.\n\n\\S+ · ${GATES.length} rules checked · \\$0\\.\\d+$`);
  expect(await write('what is two and two?')).toMatch(figures);
  await write('/language de');
  expect(await write('what is two and two?')).toContain(` · ${GATES.length} Regeln geprüft · `);
  expect(await write('/lines off')).toContain('Meine Antworten kommen ohne diese Zeile');
  expect(await write('what is two and two?')).toBe('Four.');
});
