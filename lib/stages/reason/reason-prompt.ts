/** The prompt of one attempt: what was loaded for the turn, put into the form `buildPrompt` takes. Pure but for the clock it is given. */

import { mayUseTool } from '../../gates/rules/access-table.ts';
import { rejectionReasons } from '../../judge/judge.ts';
import type { SpacePolicy } from '../../judge/policy/space-policy.ts';
import { buildPrompt, type Prompt } from '../../prompt/build-prompt.ts';
import type { PromptInput, SessionSummary } from '../../prompt/prompt-input.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import { toolsOf } from '../../tools/describe-tools.ts';
import { mcpToolDescriptions } from '../../tools/mcp/catalogue.ts';
import { type LoadedTurn, mayReadMemory } from './load-turn.ts';
import type { LookedAt } from './look-at-memory.ts';
import { withSettings } from './prompt-settings.ts';
import type { ReasonDeps } from './reason-ports.ts';

/**
 * The summary of what the turn no longer has, where memory may be read, or the next summary is made
 * from it.
 */
export const loadSummary = async (
  deps: Pick<ReasonDeps, 'privacyTags'>,
  turn: Pick<LoadedTurn, 'record' | 'summaryItem' | 'memoryHead' | 'asker' | 'chatMemory'>,
): Promise<SessionSummary | undefined> => {
  const { signal } = turn.record;
  const { summaryItem, memoryHead } = turn;
  const isNext = signal.payload.sensor === 'session-summary';
  if (summaryItem === undefined || !(isNext || mayReadMemory(turn))) return undefined;
  const { readSummary } = await import('./read-summary.ts');
  return readSummary(summaryItem, memoryHead, signal, deps.privacyTags ?? []);
};

export const promptFor = (
  deps: ReasonDeps,
  turn: LoadedTurn,
  policy: SpacePolicy,
  { memory, summary }: { readonly memory: LookedAt | undefined; readonly summary: SessionSummary | undefined },
  rejected: Attempt | undefined,
  tokensMax = deps.promptTokensMax,
) => {
  const { identity } = deps;
  const { signal } = turn.record;
  const input: PromptInput = {
    now: deps.now(),
    zone: identity.zone,
    version: identity.version,
    providers: deps.providerNames,
    gates: deps.gateSet.gates.map((gate) => gate.name),
    assistant: identity.assistant,
    user: identity.user,
    mandates: [],
    tools: [
      ...toolsOf(signal.payload.sensor).filter((tool) => !policy.hiddenTools.has(tool.name)),
      ...mcpToolDescriptions(turn.mcp),
    ].filter(({ name }) => mayUseTool(name, turn.asker, turn.chatMemory)),
    memory: memory?.context,
    logs: turn.logs,
    history: turn.history,
    summary,
    turn: turn.steps,
    mailbox: turn.mailbox,
    rejection: rejected === undefined ? undefined : { n: rejected.n, reasons: rejectionReasons(rejected) },
    sessionStartedAt: turn.head?.startedAt ?? turn.record.signal.receivedAt,
    tokensMax: Math.min(tokensMax, deps.promptTokensMax),
  };
  return buildPrompt(withSettings(deps, turn, input));
};

/** What the decision says of memory: where it stood, and the very versions that were shown. */
export const shownOf = (memory: LookedAt | undefined, { seen }: Prompt): Pick<Decision, 'memory' | 'seen'> => ({
  ...(memory === undefined ? {} : { memory: memory.position }),
  ...(seen.length === 0 ? {} : { seen: [...seen] }),
});

export const toolNamesOf = (prompt: Prompt): readonly string[] => prompt.tools.map((tool) => tool.function.name);
