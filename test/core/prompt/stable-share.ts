/**
 * How much of a prompt a provider's prefix cache has seen before: bytes, in the order they are
 * sent.
 */
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';

/** As a provider reads it: tools, system, messages, each with its role and calls. */
export const wireOf = ({ tools, system, messages }: Pick<Prompt, 'tools' | 'system' | 'messages'>): string =>
  [JSON.stringify(tools), JSON.stringify(system), ...messages.map((message) => JSON.stringify(message))].join('\n');

/** Bytes at the beginning that both have. */
export const commonBytes = (before: string, after: string): number => {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return Buffer.byteLength(after.slice(0, length));
};

/** Of the later prompt's bytes, those the earlier one began with: 0 to 1. */
export const stableShare = (before: Prompt, after: Prompt): number => {
  const wire = wireOf(after);
  return commonBytes(wireOf(before), wire) / Buffer.byteLength(wire);
};
