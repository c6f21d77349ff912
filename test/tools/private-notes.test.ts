/** What is tagged private is not shown to the model: not by recalling, not by listing. */
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../lib/memory/memory.ts';
import { listMemory } from '../../lib/tools/list-memory.ts';
import { recall } from '../../lib/tools/recall.ts';
import { anObject, NONCE, NOW } from '../memory/notes.ts';

const NOTES = [
  anObject('The bike is blue', 0, { tags: ['bike'] }),
  anObject('The bike lock code is in the diary', 1, { tags: ['bike', '@Personal'] }),
  anObject('@personal I fell off the bike', 2, { tags: ['bike'] }),
  anObject('The bike doctor is Dr. Lee', 3, { tags: ['MEDICAL'] }),
];

const unused = () => Promise.reject(new Error('not for reading'));
const memory: Memory = {
  recall: () => Promise.resolve(NOTES),
  list: () => Promise.resolve({ objects: NOTES }),
  remember: unused,
  forget: unused,
  load: unused,
};
const context = {
  memory,
  now: NOW,
  zone: 'UTC',
  effectId: 'a#0',
  signalId: 'a',
  origin: 'owner',
  newNonce: () => NONCE,
} as const;
const textsOf = (output: string) =>
  output.split('\n').map((line) => (JSON.parse(line) as { readonly text: string }).text);

describe('recall and list-memory', () => {
  it.each([
    ['recall', recall, { query: 'bike' }],
    ['list-memory', listMemory, {}],
  ])('%s shows no private note', async (_, tool, args) => {
    const usual = await tool.run(args, context);
    expect(textsOf(usual.output)).toStrictEqual(['The bike is blue', 'The bike doctor is Dr. Lee']);
    const medical = await tool.run(args, { ...context, privacyTags: ['@medical'] });
    expect(textsOf(medical.output)).toStrictEqual(['The bike is blue']);
  });
});
