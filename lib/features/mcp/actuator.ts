/**
 * Calls a tool of an MCP server, over the addresses the gates judged, and only if the server still
 * describes the tool as an approver accepted it. `once`: a server that was called and did not
 * answer may have done it (I7). The answer is outside text.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { MCP_TIMEOUT_MS } from '../../core/base/limits.ts';
import type { Actuator, ActuatorContext, ActuatorResult } from '../../core/signal/actuator.ts';
import { mcpTargetOf } from '../../core/signal/mcp-name.ts';
import type { OutputStore } from '../../core/tools/long-output.ts';
import { findMcpTool } from '../../core/tools/mcp-catalogue.ts';
import { shortenOutput } from '../../core/tools/shorten-output.ts';
import { type Reach, withOffer } from './servers.ts';
import type { McpOutcome } from './session.ts';

export interface McpActuatorDeps extends Reach {
  readonly keepOutput: OutputStore['keep'];
}

const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

const CHANGED =
  'the MCP server changed its description of this tool: the tool is off until an approver accepts it again (/mcp list)';

export const buildMcpActuator = (deps: McpActuatorDeps): Actuator => ({
  kind: 'once',
  deliver: async (action, context) => {
    const { servers, ...catalogue } = await deps.store.load();
    const target = mcpTargetOf(action.tool);
    const server = servers.find(({ name }) => `mcp-${name}` === target);
    const tool = findMcpTool({ ...catalogue, servers }, action.tool ?? '');
    if (action.target !== 'webhook' || action.to !== target || server === undefined || tool === undefined)
      return failed('there is no such tool of an MCP server');
    if (action.url !== server.url) return failed('the address is not the one that was accepted');
    if (context.addresses.length === 0) return failed('the host of the MCP server was not resolved');
    const { callServerTool } = await deps.loadSession();
    const { name, url } = server;
    const access = {
      server: name,
      url,
      addresses: context.addresses,
      ...deps.tokenFor(name, url),
      timeoutMs: MCP_TIMEOUT_MS,
    };
    const outcome = await callServerTool(access, tool, action.args ?? {});
    if (outcome.kind === 'failed' && outcome.wants !== undefined)
      await deps.logins.noteWanted(name, url, outcome.wants);
    if (outcome.kind === 'changed')
      await deps.store.change((all) =>
        all.map((one) => (one.name === name && one.url === url ? withOffer(one, outcome.offered) : one)),
      );
    return resultOf(deps, outcome, context);
  },
});

const resultOf = async (
  { keepOutput }: McpActuatorDeps,
  outcome: McpOutcome,
  { effectId, now }: ActuatorContext,
): Promise<ActuatorResult> => {
  switch (outcome.kind) {
    case 'done': {
      const whole = { text: outcome.text, origin: 'outside', at: now } as const;
      return { state: 'done', output: await shortenOutput(keepOutput, effectId, whole), origin: 'outside' };
    }
    case 'changed':
      return failed(CHANGED);
    case 'refused':
      return failed(`the MCP server refused the call (code ${outcome.code})`);
    case 'failed':
      return failed(`${outcome.why}; nothing was called`);
    case 'unknown':
      return { state: 'unknown', reason: `${outcome.why} after it was called` };
    case 'listed':
      throw new ProtocolError('the MCP server listed its tools in place of calling one');
    default:
      return outcome satisfies never;
  }
};
