/**
 * Judges and performs a call of a server of tools (MCP) that this machine starts. The server is one
 * of `runner.yaml`, and still describes the tool as an approver accepted it, or nothing is called.
 * A server that ends, or says nothing in time, may have done it: `unknown`, and never called again.
 */
import type { JsonObject } from '../../lib/core/base/json.ts';
import { mcpTargetOf } from '../../lib/core/signal/mcp-name.ts';
import { buildOffer, type MachineOffer } from '../../lib/features/mcp/offers.ts';
import type { McpOutcome } from '../../lib/features/mcp/session.ts';
import type { Order } from '../../lib/features/runner/order.ts';
import type { RunnerOutcome } from '../../lib/features/runner/result.ts';
import type { Allowed, MachineServer } from './allow-file.ts';
import { collectOutput } from './collect-output.ts';
import { findChanges } from './find-changes.ts';
import type { McpPlace } from './mcp-process.ts';
import type { Expected, McpServers } from './mcp-servers.ts';
import { type Performed, type Performing, readTrees } from './perform.ts';

export interface PermittedCall {
  readonly kind: 'permitted';
  readonly tool: string;
  readonly server: MachineServer;
  readonly expects: Expected;
  readonly args: JsonObject;
  readonly isReading: boolean;
}

type JudgedCall = PermittedCall | { readonly kind: 'refused'; readonly why: string };

/** By this machine's own file. */
export const judgeCall = ({ action, expects }: Order, { servers }: Allowed): JudgedCall => {
  const { tool = '', args = {} } = action;
  const name = mcpTargetOf(tool)?.slice('mcp-'.length);
  const server = servers.find((one) => one.name === name);
  if (server === undefined) return { kind: 'refused', why: `runner.yaml names no server ${name}` };
  if (expects?.name !== tool) return { kind: 'refused', why: 'the order does not say how the tool was accepted' };
  return { kind: 'permitted', tool, server, expects, args, isReading: server.write.length === 0 };
};

interface CallPlace extends McpPlace {
  readonly servers: McpServers;
  readonly outputFile: string;
  /** Tells the stack of a server that describes its tools otherwise. */
  readonly tell: (offer: MachineOffer) => void;
}

interface Ended {
  readonly state: RunnerOutcome;
  readonly problem: string;
  readonly text: string;
}

const CHANGED = 'the server changed its description of this tool: it is off until an approver accepts it again';

const endOf = (outcome: McpOutcome): Ended => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', problem: '', text: outcome.text };
    case 'changed':
      return { state: 'refused', problem: CHANGED, text: '' };
    case 'refused':
      return { state: 'refused', problem: `the server refused the call (code ${outcome.code})`, text: '' };
    case 'unknown':
      return { state: 'unknown', problem: `${outcome.why}: it may have done it`, text: '' };
    case 'failed':
      return { state: 'failed', problem: `${outcome.why}; nothing was called`, text: '' };
    case 'listed':
      return { state: 'failed', problem: 'the server listed its tools; nothing was called', text: '' };
    default:
      return outcome satisfies never;
  }
};

/** No server says its own secret to the model. */
const withoutSecrets = (text: string, { name, secrets }: MachineServer, { folder }: McpPlace): string =>
  secrets.reduce((left, variable) => {
    const value = folder.secret(name, variable) ?? '';
    return value === '' ? left : left.replaceAll(value, `[${variable}]`);
  }, text);

export const performCall = ({ server, expects, args }: PermittedCall, place: CallPlace, timeMs: number): Performing => {
  const { servers, allowed, trees, outputFile, tell } = place;
  const before = readTrees(server.write, trees);
  // The clock of the files, which `now` need not be.
  const startedAt = Date.now();
  const { stop, outcome } = servers.call(server, place, expects, args, timeMs);
  const run = async (): Promise<Performed> => {
    const ended = await outcome;
    if (ended.kind === 'changed') tell(buildOffer(server.name, ended.offered, ended.offered.length));
    const { state, problem, text } = endOf(ended);
    const shown = Buffer.from(withoutSecrets(text, server, place));
    const collected = await collectOutput([shown], outputFile, allowed.limits.outputBytes);
    const changes =
      before.length === 0
        ? { changed: [], more: 0 }
        : await findChanges(before, readTrees(server.write, trees), startedAt);
    return { ...collected, ...changes, state, problem };
  };
  return { stop, performed: run() };
};
