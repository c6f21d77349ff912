/**
 * An action has exactly one meaning: every field its target needs, no other field, and a bounded
 * size.
 * - stops: unknown fields (`approved: true`), missing recipients, a tool on a text, a tool that
 *   leaves the space sent past the network gate, code texts without a template, cards and edits of
 *   the model
 * - lets through: a text with a recipient, a tool with arguments, a resolved webhook call, a system
 *   message
 */

import { ACTION_BYTES_MAX } from '../../base/limits.ts';
import { Action, type Target } from '../../signal/action.ts';
import { findChannel, sendsMessages } from '../../signal/channels.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { mcpTargetOf } from '../../signal/mcp-name.ts';
import { effectsOf } from './tool-effects.ts';

const TARGET_FIELDS = ['tool', 'args', 'text', 'to', 'topic', 'url'] as const;
type TargetField = (typeof TARGET_FIELDS)[number];

interface Fields {
  readonly needed: readonly TargetField[];
  readonly possible: readonly TargetField[];
}

/** Of a target that is no channel. */
const FIELDS: Readonly<Partial<Record<Target, Fields>>> = {
  system: { needed: ['text'], possible: ['to'] },
  webhook: { needed: ['tool', 'to', 'url'], possible: ['args'] },
  tool: { needed: ['tool'], possible: ['args'] },
};

const fieldsOf = (target: Target): Fields =>
  FIELDS[target] ?? { needed: ['text', 'to'], possible: sendsMessages(target) ? ['topic'] : [] };

const isMissing = (action: Action, field: TargetField): boolean => {
  const value = action[field];
  return typeof value === 'string' ? value.trim() === '' : value === undefined;
};

/** A text that a person sends to somebody else. */
const isMessage = ({ target }: Action, { isPlainReply }: Facts): boolean =>
  findChannel(target) !== undefined && !isPlainReply;

const problemOf = (action: Action, facts: Facts): string | undefined => {
  const { needed, possible } = fieldsOf(action.target);
  for (const field of TARGET_FIELDS) {
    if (needed.includes(field)) {
      if (isMissing(action, field)) return `${action.target} needs ${field}`;
    } else if (action[field] !== undefined && !possible.includes(field)) {
      return `${action.target} takes no ${field}`;
    }
  }
  const server = mcpTargetOf(action.tool);
  const { leavesSpace = false } = effectsOf(action, facts);
  if (action.target === 'webhook' && !leavesSpace) return 'webhook needs a tool that leaves the space';
  if (action.target === 'webhook' && server !== undefined && action.to !== server)
    return 'a tool of an MCP server goes to its server';
  if (action.target === 'tool' && server !== undefined) return 'a tool of an MCP server is not an ordinary tool';
  if (action.target === 'tool' && leavesSpace) return `${action.tool} is not an ordinary tool`;
  if (action.author === 'code' && (action.template ?? '') === '') return 'a text made by code needs its template';
  if (action.author === 'owner' && action.target !== 'tool' && !isMessage(action, facts))
    return 'a command of a person is a tool call';
  if (action.author !== 'code' && action.template !== undefined) return 'only code writes from a template';
  if (action.author !== 'code' && action.card !== undefined) return 'only code makes approval cards';
  if (action.links !== undefined && (action.author !== 'model' || !sendsMessages(action.target)))
    return 'only texts of the model to Telegram name their links';
  if (action.edits !== undefined && (action.author !== 'code' || !sendsMessages(action.target)))
    return 'only code changes its own messages';
  return undefined;
};

/** The canonical form sorts keys, which does not change this number. */
const bytesOf = (action: Action): number => {
  const json = JSON.stringify(action);
  return json.length * 3 <= ACTION_BYTES_MAX ? json.length : Buffer.byteLength(json);
};

export const checkProtocolSchema = (action: Action, facts: Facts): Verdict => {
  if (!Action.safeParse(action).success) {
    return { verdict: 'block', reason: 'it does not have the form of an action' };
  }
  if (bytesOf(action) > ACTION_BYTES_MAX) {
    return { verdict: 'block', reason: `it is larger than ${ACTION_BYTES_MAX} bytes` };
  }
  const problem = problemOf(action, facts);
  return problem === undefined ? PASS : { verdict: 'block', reason: problem };
};
