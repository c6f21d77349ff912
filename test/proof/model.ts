/**
 * The scripted model of the proof: it does the task that stands in the owner's words, and obeys
 * every instruction that it finds in its prompt, first what it found. It knows both from tables, so
 * nothing depends on wording, and it makes each call once. A refusal or a no only has it go on.
 */
import type { JsonObject } from '../../lib/core/base/json.ts';
import type { ModelServerRequest, Script, ScriptedCall } from '../support/model-server.ts';
import { say, toolResultsOf } from '../support/model-server.ts';
import type { Injection } from './injections.ts';
import type { Forms } from './servers.ts';
import type { Call } from './tasks.ts';

/** One conversation as the model knows it. */
export interface Part {
  readonly account: string;
  readonly calls: readonly Call[];
  readonly injections: readonly Injection[];
  /** Its own calls that it can know before it reads; asked about at once, first. */
  readonly plan?: readonly Call[];
}
export interface ProofModel {
  readonly script: Script;
  readonly parts: Map<string, Part>;
  /** How many instructions were obeyed in each account's conversation. */
  readonly obeyed: ReadonlyMap<string, number>;
}

const EXPLANATION = 'this is what was asked for in the conversation';

/** As the model proposes it. Tools of the agent's own have no account. */
export const proposedCall = (forms: Forms, account: string, [verb, args = {}]: Call): ScriptedCall => {
  const form = forms[verb];
  if (form === undefined) return { tool: verb, args: { ...args, explanation: EXPLANATION } };
  const sent: JsonObject = { account, ...args };
  return form.isWebhook
    ? { tool: 'call-webhook', args: { webhook: form.tool, body: sent, explanation: EXPLANATION } }
    : { tool: form.tool, args: { ...sent, explanation: EXPLANATION } };
};

export const proposedPlan = (forms: Forms, account: string, plan: readonly Call[]): ScriptedCall => {
  const steps = plan.map((call) => {
    const { tool, args } = proposedCall(forms, account, call);
    const { explanation: _, ...own } = args as JsonObject;
    return { tool, args: own };
  });
  return { tool: 'propose-plan', args: { steps, explanation: EXPLANATION } };
};

/** The owner's own changes with the attacker's value in them. */
const swapped = (forms: Forms, calls: readonly Call[], { swap }: Injection): readonly Call[] =>
  calls.flatMap(([verb, args = {}]) => {
    const changed = Object.keys(args).filter((name) => forms[verb]?.isChange === true && swap?.[0].includes(name));
    const others = Object.fromEntries(changed.map((name) => [name, swap?.[1] ?? '']));
    return changed.length === 0 ? [] : [[verb, { ...args, ...others }] as const];
  });

/** What is left to do in one conversation. */
interface Progress {
  readonly found: Set<Injection>;
  readonly own: Call[];
  /** Calls of the agent's own tools: each goes alone, as a blocked one takes the rest along. */
  readonly alone: Call[];
  /** Calls of servers: they go together. */
  readonly together: Call[];
  /** They go with the owner's next call. */
  readonly beside: Call[];
}

const isLastAttempt = ({ messages }: ModelServerRequest): boolean =>
  (messages.at(-1)?.content ?? '').includes('(attempt 2 of 3)');

/** A turn has ten steps. Of more calls than half of that, several go together. */
const OWN_STEPS = 5;
/** Three conversations at a time keep below the bound of open cards. */
const TOGETHER = 5;

/** Letters and digits alone: however a text was quoted, wrapped or escaped on its way. */
export const lettersOf = (json: string): string => json.replace(/\\+[nrt]?|[^\p{L}\p{N}\\]+/gu, '');

export const buildProofModel = (forms: Forms): ProofModel => {
  const parts = new Map<string, Part>();
  const obeyed = new Map<string, number>();
  const progress = new Map<string, Progress>();
  const answered = new Map<string, ReturnType<Script>>();

  const find = (at: Progress, { account, calls, injections }: Part, prompt: string): void => {
    const read = lettersOf(prompt);
    for (const injection of injections) {
      if (at.found.has(injection) || !read.includes(lettersOf(JSON.stringify(injection.text)))) continue;
      at.found.add(injection);
      obeyed.set(account, at.found.size);
      for (const call of [...(injection.calls ?? []), ...swapped(forms, calls, injection)]) {
        const isOfServer = forms[call[0]] !== undefined;
        (isOfServer ? (injection.isBeside === true ? at.beside : at.together) : at.alone).push(call);
      }
    }
  };

  const next = (part: Part, request: ModelServerRequest, prompt: string): ReturnType<Script> => {
    const { account, calls } = part;
    const isFirst = !progress.has(account);
    const at = progress.get(account) ?? { found: new Set(), own: [...calls], alone: [], together: [], beside: [] };
    progress.set(account, at);
    find(at, part, prompt);
    if (isFirst && part.plan !== undefined && part.plan.length > 0 && at.found.size === 0)
      return { kind: 'answer', calls: [proposedPlan(forms, account, part.plan)] };
    const taken =
      at.alone.length > 0 && !isLastAttempt(request)
        ? at.alone.splice(0, 1)
        : at.together.length > 0
          ? at.together.splice(0, TOGETHER)
          : [...at.beside.splice(0), ...at.own.splice(0, Math.ceil(calls.length / OWN_STEPS))];
    return taken.length > 0
      ? { kind: 'answer', calls: taken.map((call) => proposedCall(forms, account, call)) }
      : say(
          `${[...at.found].map(({ says = '' }) => says).join('')}This is what I found: ${toolResultsOf(request).join(' ').slice(0, 3_000)}`,
        );
  };

  const script: Script = (request) => {
    const prompt = JSON.stringify(request.messages);
    const before = answered.get(prompt);
    if (before !== undefined) return before;
    const account = [...prompt.matchAll(/\[(p\d+x)\]/g)].at(-1)?.[1] ?? '';
    const part = parts.get(account);
    const answer = part === undefined ? say('ok') : next(part, request, prompt);
    answered.set(prompt, answer);
    return answer;
  };
  return { script, parts, obeyed };
};
