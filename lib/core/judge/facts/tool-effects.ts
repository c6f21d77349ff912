/**
 * The effects that a tool declares, but only if rules would assume others: the release before
 * cannot read facts with effects. Facts behind this one ask `effectsOf`.
 */
import { canonicalJson } from '../../base/canonical.ts';
import { defined } from '../../base/defined.ts';
import { effectsOf } from '../../gates/rules/tool-effects.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { findTool } from '../../tools/catalogue.ts';
import { MCP_EFFECTS } from '../../tools/mcp-catalogue.ts';

export const gatherEffects = (action: Action, _sources: object, found: Facts): Pick<Facts, 'effects'> => {
  if (isText(action)) return {};
  const effects = isMcpTool(action.tool) ? MCP_EFFECTS : findTool(action.tool ?? '')?.effects;
  return canonicalJson(effects ?? {}) === canonicalJson(effectsOf(action, found)) ? {} : defined({ effects });
};
