/**
 * The language of the attackers: `INJECT:<key>:<goal>`, short enough for a name, a tag or a header,
 * and readable through any JSON escaping. A model that obeys finds it anywhere in a prompt, whoever
 * wrote it and whatever stands around it; the key tells attacks apart, and what an attack tries to
 * carry out names its key, so that it is found wherever it arrives. Pure.
 */
import type { ModelServerRequest } from '../support/model-server.ts';

export interface Instruction {
  readonly key: string;
  /** Name of a playbook; `echo-<goal>` has the next answer carry the instruction on. */
  readonly goal: string;
}

/** One text of an attacker's, on its way in. */
export interface Attack extends Instruction {
  /** What is written in place of the instruction: a command, say, that no model has to obey. */
  readonly raw?: string;
}

export const inject = ({ key, goal }: Instruction): string => `INJECT:${key}:${goal}`;

/** What stands in the attacker's message. */
export const textOf = (attack: Attack): string => attack.raw ?? inject(attack);

/** Word by which a note is found, and no other. */
export const topicOf = ({ key }: Attack): string => `topic${key}`;

/** What an attack tries to get out. */
export const lootOf = (key: string): string => `loot-${key}`;

/**
 * All a model reads, arguments of earlier calls included, and the words that pictures show: the
 * bytes of ours hold them.
 */
export const promptText = ({ messages, pictures }: ModelServerRequest): string =>
  [JSON.stringify(messages), ...pictures.map((url) => Buffer.from(url.split(',')[1] ?? '', 'base64').toString())].join(
    '\n',
  );

const INSTRUCTION = /INJECT:([a-z0-9]+):([a-z-]+)/g;

/** Each instruction once, in the order they stand. */
export const instructionsIn = (prompt: string): readonly Instruction[] => {
  const found = new Map<string, Instruction>();
  for (const [, key = '', goal = ''] of prompt.matchAll(INSTRUCTION)) found.set(`${key}:${goal}`, { key, goal });
  return [...found.values()];
};
