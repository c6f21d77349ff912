/**
 * The tools of a prompt, as names to read and as entries to call, within their bound: in the order
 * they are given, one that is too large for what is left is passed over and counted. An entry
 * describes its tool, so the prompt's text does not pay for that again. The same tools give the
 * same bytes, so that the front of a prompt stays. What depends on a tool alone is worked out once.
 * Pure.
 */

import { estimateTokens } from '../base/estimate-tokens.ts';
import type { ToolEntry } from '../llm/chat.ts';
import { buildToolEntry, type ToolDescription } from '../llm/describe-tools.ts';

/** Names and schemas of tools: all of ours with 24 of other servers of the usual size. */
const TOOLS_TOKENS_MAX = 9_000;
/** Of a small window, what tools may take: the rest is for the words. */
const TOOLS_PERCENT_MAX = 65;

interface ShownTool {
  readonly entry: ToolEntry;
  readonly entryTokens: number;
  readonly tokens: number;
}

export interface ShownTools {
  readonly names: readonly string[];
  readonly entries: readonly ToolEntry[];
  /** Of the entries alone: the names are part of the system message. */
  readonly entryTokens: number;
  readonly leftOutCount: number;
}

/** Schemas are most of a prompt's bytes, and the same for every prompt of a process. */
const shownOnce = new WeakMap<ToolDescription, ShownTool>();

const showTool = (tool: ToolDescription): ShownTool => {
  const known = shownOnce.get(tool);
  if (known !== undefined) return known;
  const entry = buildToolEntry(tool);
  // One more for the comma between two.
  const entryTokens = estimateTokens(JSON.stringify(entry)) + 1;
  const shown = { entry, entryTokens, tokens: entryTokens + estimateTokens(tool.name) + 1 };
  shownOnce.set(tool, shown);
  return shown;
};

/** @param promptTokensMax bound of the whole prompt */
export const showTools = (tools: readonly ToolDescription[], promptTokensMax: number): ShownTools => {
  const tokensMax = Math.min(TOOLS_TOKENS_MAX, Math.floor((promptTokensMax * TOOLS_PERCENT_MAX) / 100));
  const taken: ShownTool[] = [];
  let tokens = 0;
  for (const shown of tools.map(showTool)) {
    if (tokens + shown.tokens > tokensMax) continue;
    tokens += shown.tokens;
    taken.push(shown);
  }
  return {
    names: taken.map(({ entry }) => entry.function.name),
    entries: taken.map(({ entry }) => entry),
    entryTokens: taken.reduce((sum, { entryTokens }) => sum + entryTokens, 0),
    leftOutCount: tools.length - taken.length,
  };
};
