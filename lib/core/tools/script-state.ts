/**
 * The variables of a conversation's programs: one JSON object, stored beside the conversation. It
 * has the worst origin of the runs that made it (I13), and names their turns: if one of these turns
 * is forgotten, the state goes with it. A repeated effect starts again from the state it found.
 */
import * as z from 'zod/mini';
import { ContendedError } from '../base/errors.ts';
import { JsonObject, parseJson } from '../base/json.ts';
import { DAY_MS } from '../base/limits.ts';
import { runScript, scriptOutput } from '../sandbox/run-script.ts';
import type { ThreadOutcome } from '../sandbox/thread.ts';
import { rootOf } from '../signal/ids.ts';
import { joinOrigins, Origin } from '../signal/signal.ts';
import { absent, anyOf, type Condition, equals } from '../store/condition.ts';
import { scriptStateKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Table } from '../store/table.ts';
import { updateIf } from '../store/update-if.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** A state that nobody used for so long is gone: it belongs to one sitting. */
const STATE_KEPT_MS = DAY_MS;
/** Turns that one state may be made from, so that its item stays small. */
export const STATE_TURNS_MAX = 200;

const EMPTY_STATE = '{}';

const Held = z.strictObject({
  /** JSON of the object. */
  text: z.string(),
  origin: Origin,
  /** Roots of the turns it was made in. */
  turns: z.array(z.string()),
});
type Held = z.infer<typeof Held>;

const Stored = z.object({
  schemaVersion: z.literal(1),
  ...Held.def.shape,
  at: z.int(),
  /** The effect that wrote it, and the state that effect found. */
  byEffect: z.string(),
  before: Held,
  /** When the table may drop it, epoch seconds. */
  expiresAt: z.optional(z.int()),
});

interface ScriptState extends Held {
  /** The effect that wrote it; absent if nothing is stored. */
  readonly byEffect?: string | undefined;
}

interface ScriptRun {
  readonly session: string;
  readonly signalId: string;
  readonly effectId: string;
  readonly now: number;
  /** Worst origin of all that the program was made from. */
  readonly origin: Origin;
}

export interface ScriptStates {
  readonly load: (run: ScriptRun) => Promise<ScriptState>;
  /** @throws ContendedError if another run changed it meanwhile: then the run starts again */
  readonly save: (run: ScriptRun, found: ScriptState, text: string) => Promise<void>;
}

type StateTable = Pick<Table, 'load' | 'update'>;

const NOTHING: Held = { text: EMPTY_STATE, origin: 'agent', turns: [] };

const loadStored = async (table: Pick<Table, 'load'>, space: string, session: string) => {
  const item = await loadItem(table, scriptStateKey(space, session));
  return item === undefined ? undefined : parseStored(item, Stored, `variables of ${session}`);
};

/** An empty object holds nothing of the turns before. */
const heldAfter = ({ signalId, origin }: ScriptRun, found: Held, text: string): Held =>
  text === EMPTY_STATE
    ? NOTHING
    : {
        text,
        origin: joinOrigins([found.origin, origin]),
        turns: [...new Set([...found.turns, rootOf(signalId)])],
      };

const isBy = (byEffect: string | undefined): Condition => ({
  name: 'no other run changed the variables',
  holds: byEffect === undefined ? absent('byEffect') : anyOf(absent('byEffect'), equals('byEffect', byEffect)),
});

export const buildScriptStates = (table: StateTable, space: string): ScriptStates => ({
  load: async ({ session, effectId, now }) => {
    const stored = await loadStored(table, space, session);
    if (stored === undefined) return NOTHING;
    const { byEffect, before, at, text, origin, turns } = stored;
    if (byEffect === effectId) return { ...before, byEffect };
    return { ...(now - at > STATE_KEPT_MS ? NOTHING : { text, origin, turns }), byEffect };
  },
  save: async (run, { byEffect, ...before }, text) => {
    const expiresAt = Math.ceil((run.now + STATE_KEPT_MS) / 1000);
    const own = { at: run.now, byEffect: run.effectId, before, expiresAt };
    const set = { schemaVersion: 1, ...heldAfter(run, before, text), ...own };
    const isSaved = await updateIf(table, scriptStateKey(space, run.session), { set }, isBy(byEffect));
    if (!isSaved) throw new ContendedError('the variables of this conversation', 1);
  },
});

/** Erases the state if this turn made any of it. Repeating it changes nothing. */
export const eraseScriptState = async (
  table: StateTable,
  space: string,
  { session, root, now }: { readonly session: string; readonly root: string; readonly now: number },
): Promise<void> => {
  const stored = await loadStored(table, space, session);
  if (stored === undefined || ![...stored.turns, ...stored.before.turns].includes(root)) return;
  // A run that read it before must start again: nobody's effect has this name.
  const set = { ...NOTHING, at: now, byEffect: `forgotten ${stored.byEffect}`, before: NOTHING };
  await table.update(scriptStateKey(space, session), { set: { schemaVersion: 1, ...set } }, isBy(stored.byEffect));
};

/** Names kept for the next run: a calculation has a handful. */
const STATE_VARIABLES_MAX = 64;

/** The fate of the object `state` after a run. @returns its JSON, or why it is not kept */
const stateAfter = (
  outcome: ThreadOutcome,
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
