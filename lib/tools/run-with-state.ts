/** Runs a program with the variables of its conversation. Loaded with the first program. */
import { JsonObject, parseJson } from '../base/json.ts';
import { runScript, type ScriptOutcome, scriptOutput } from '../sandbox/run-script.ts';
import { EMPTY_STATE, type ScriptState, STATE_TURNS_MAX } from './script-state.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** Names kept for the next run: a calculation has a handful. */
export const STATE_VARIABLES_MAX = 64;

/** What becomes of the object `state` after a run. @returns its JSON, or why it is not kept */
const stateAfter = (
  outcome: ScriptOutcome,
  found: ScriptState,
): { readonly text: string } | { readonly why: string } => {
  if (outcome.kind !== 'value') return { text: found.text };
  if (outcome.state === undefined) return { why: 'it must be an object that JSON can say, of at most 16 K characters' };
  const count = Object.keys(parseJson('the state', outcome.state, JsonObject)).length;
  if (count > STATE_VARIABLES_MAX) return { why: `it has ${count} members, and may have ${STATE_VARIABLES_MAX}` };
  if (found.turns.length >= STATE_TURNS_MAX && outcome.state !== EMPTY_STATE)
    return { why: `it was made in ${STATE_TURNS_MAX} turns already: begin anew with state = {}` };
  return { text: outcome.state };
};

/** @throws ProtocolError for a program that was ended; ContendedError if another ran meanwhile */
export const runWithState = async (code: string, context: ToolContext): Promise<ToolOutput> => {
  const { now, session, isInGroup = false, signalId, effectId, origin, records } = context;
  const run = session === undefined || isInGroup ? undefined : { session, signalId, effectId, now, origin };
  const found: ScriptState =
    run === undefined ? { text: EMPTY_STATE, origin: 'agent', turns: [] } : await records.scriptStates.load(run);
  const outcome = await runScript(code, now, { state: found.text });
  const output = scriptOutput(outcome);
  const after = stateAfter(outcome, found);
  const isChanged = 'text' in after && after.text !== found.text;
  if (isChanged && run !== undefined) await records.scriptStates.save(run, found, after.text);
  const why = 'why' in after ? after.why : isChanged && run === undefined ? 'many people share this chat' : undefined;
  return {
    output: why === undefined ? output : `${output}\n(state was not kept: ${why})`,
    origin: found.origin,
  };
};
