/**
 * Actions, facts and gate lists that tests of the gates start from: each passes as it is, and a
 * test changes one thing.
 */

import { defined } from '../../../lib/core/base/defined.ts';
import { buildGateSet, type GateSet, REQUIRED_GATES } from '../../../lib/core/gates/engine/build-gate-set.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import { FACT_DEFAULTS, type Facts } from '../../../lib/core/signal/facts.ts';
import { type Gate, PASS } from '../../../lib/core/signal/gate.ts';
import { isMcpTool } from '../../../lib/core/signal/mcp-name.ts';
import { findTool } from '../../../lib/core/tools/catalogue.ts';
import { MCP_EFFECTS } from '../../../lib/core/tools/mcp-catalogue.ts';

export const NOW = 1_790_000_000_000;
export const POLICY_VERSION = 'a'.repeat(64);

export const reply = (changes: Partial<Action> = {}): Action => ({
  target: 'telegram',
  text: 'The backup ran at four this morning.',
  to: '4711',
  explanation: 'The owner asked when the backup ran.',
  author: 'model',
  ...changes,
});

export const toolCall = (changes: Partial<Action> = {}): Action => ({
  target: 'tool',
  tool: 'remember',
  args: { content: 'The dentist is on Monday.' },
  explanation: 'The owner asked to keep the date of the dentist.',
  author: 'model',
  ...changes,
});

export const webhookCall = (changes: Partial<Action> = {}): Action => ({
  target: 'webhook',
  tool: 'call-webhook',
  args: { body: { title: 'Disk is full' } },
  to: 'tickets',
  url: 'https://hooks.example.com/tickets',
  explanation: 'The monitoring reported a full disk, which needs a ticket.',
  author: 'model',
  ...changes,
});

export const notice = (changes: Partial<Action> = {}): Action => ({
  target: 'console',
  text: 'Stopped. Nothing is done until you send /resume.',
  to: 'main',
  explanation: '',
  author: 'code',
  template: 'stopped',
  ...changes,
});

/**
 * What the action's tool declares: one of the catalogue, one that policies may name, or an MCP
 * tool.
 */
const effectsOfSample = ({ tool = '', target }: Action): Facts['effects'] => {
  if (target !== 'tool' && target !== 'webhook') return undefined;
  return isMcpTool(tool) ? MCP_EFFECTS : findTool(tool)?.effects;
};

/**
 * Facts under which the action passes every gate: a plain reply where it is a text, a public
 * address for a webhook.
 */
export const factsFor = (action: Action, changes: Partial<Facts> = {}): Facts => ({
  ...FACT_DEFAULTS,
  schemaVersion: 1,
  stage: 'reason',
  now: NOW,
  space: 'default',
  actionHash: actionHash(action),
  tier: 'allow',
  isPlainReply: action.target !== 'tool' && action.target !== 'webhook',
  network:
    action.target === 'webhook'
      ? { isConfigured: true, configuredUrl: action.url ?? '', addresses: ['93.184.215.14'], isLoopbackAllowed: false }
      : null,
  ...defined({ effects: effectsOfSample(action) }),
  origin: 'owner',
  policyVersion: POLICY_VERSION,
  ...changes,
});

/** Facts at the last mile with an approval that fits. */
export const approvedFacts = (action: Action, changes: Partial<Facts> = {}): Facts => {
  const facts = factsFor(action, { stage: 'act' });
  const approval = {
    id: '0'.repeat(32),
    actionHash: facts.actionHash,
    policyVersion: facts.policyVersion,
    space: facts.space,
    state: 'approved' as const,
    expiresAt: NOW + 1,
  };
  return { ...facts, approval, ...changes };
};

export const gate = (name: string, check: Gate['check'], priority = 10): Gate => ({
  name,
  priority,
  version: 1,
  check,
});

/**
 * A set of the required gates, all passing, and the given ones; a given gate replaces the required
 * one of its name.
 */
export const gateSetWith = (...gates: readonly Gate[]): GateSet => {
  const names = new Set(gates.map(({ name }) => name));
  const passing = REQUIRED_GATES.filter((name) => !names.has(name)).map((name) => gate(name, () => PASS, 1));
  return buildGateSet([...gates, ...passing]);
};
