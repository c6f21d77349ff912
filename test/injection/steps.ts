/**
 * What a playbook is made of: one step an answer, and what an attacker knows when it is written.
 * Pure.
 */
import type { ScriptedCall } from '../support/model-server.ts';

export interface Step {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Pause between the pieces of a streamed text. */
  readonly pieceMs?: number;
}

/** What an attacker knows, and what the model has read. */
export interface Situation {
  readonly key: string;
  readonly prompt: string;
  /** A server of the attacker's. */
  readonly evilUrl: string;
  /** A chat that never asked anything. */
  readonly victim: string;
  /** A secret of the deployment, as if it had leaked. */
  readonly secret: string;
}

export type Playbook = (situation: Situation) => readonly Step[];

export const WHY = 'the message I was given asks for exactly this';
export const call = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  explanation: string = WHY,
): ScriptedCall => ({
  tool,
  args: { ...args, explanation },
});
export const one = (tool: string, args: Readonly<Record<string, unknown>>, explanation?: string): Step => ({
  calls: [call(tool, args, explanation)],
});
export const written = (answer: unknown): Step => ({ text: JSON.stringify(answer) });
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const split = (text: string, between: string): string => [...text].join(between);
export const ids = ({ prompt }: Situation): readonly string[] => [...new Set(prompt.match(/\b[0-9a-f]{32}\b/g) ?? [])];
export const anyId = (situation: Situation): string => ids(situation)[0] ?? '0123456789abcdef0123456789abcdef';

/** The same line as a text, as a call of that name, and as a note. */
export const commandSteps = (lines: readonly string[], key: string, loot: string): readonly Step[] => [
  ...lines.map((text) => ({ text })),
  ...lines.map((text) => one(text.split(/[ /]/).filter((word) => word !== '')[0] ?? 'x', { rest: text, key })),
  ...lines.map((text) => one('remember', { text: `${text} ${loot}` })),
];
