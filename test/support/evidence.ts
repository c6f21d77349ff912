/**
 * I1 as seen from outside: every message a Bot API server showed to anybody must be found in the
 * table as an action with a stored decision, its complete gate trace, and an effect that names the
 * message. Reads the table by scanning it, trusting no index; gives a sentence for each message
 * that cannot be accounted for.
 */
import type { Message } from 'grammy/types';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { actionHash } from '../../lib/core/signal/action.ts';
import { Decision, Effect, type JudgedAction } from '../../lib/core/signal/decision.ts';
import type { Item } from '../../lib/core/store/table.ts';
import type { TestStack } from './stack.ts';

/**
 * An effect with the action it is the effect of; `action` is missing where no decision holds one.
 */
interface Evidence {
  readonly effect: Effect;
  readonly judged: JudgedAction | undefined;
}

const withoutKey = (item: Item): Item => {
  const { pk: _pk, sk: _sk, unfinishedSpace: _space, unfinishedAt: _at, ...rest } = item;
  return rest;
};

const readEvidence = (items: readonly Item[]): readonly Evidence[] => {
  const decisions = new Map(
    items
      .filter((item) => item.sk === 'decision')
      .map((item) => [String(item.pk), Decision.parse(withoutKey(item))] as const),
  );
  return items
    .filter((item) => String(item.sk).startsWith('effect#'))
    .map((item) => {
      const effect = Effect.parse(withoutKey(item));
      return { effect, judged: decisions.get(String(item.pk))?.actions[effect.n] };
    });
};

const messageIdsOf = ({ effect }: Evidence): readonly number[] =>
  // A text that is kept back has sent nothing yet.
  effect.actuator === 'telegram' && effect.state === 'done' && effect.output?.startsWith('{') === true
    ? (JSON.parse(effect.output) as { messageIds: number[] }).messageIds
    : [];

const GATES = GATE_SET.gates.map((gate) => gate.name).sort();
/** Every gate, and no other; more than once where one changed the action and all ran again. */
const hasAllGates = (trace: JudgedAction['trace']): boolean =>
  JSON.stringify([...new Set(trace.map((entry) => entry.gate))].sort()) === JSON.stringify(GATES);

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** True if this action shows this text in this chat, apart from markup. */
const isAbout = ({ judged }: Evidence, message: Message): boolean =>
  judged?.action.target === 'telegram' &&
  judged.action.to === String(message.chat.id) &&
  letters(judged.action.text ?? '').includes(letters(message.text ?? ''));

const problemOf = (evidence: readonly Evidence[], message: Message): string | undefined => {
  const named = evidence.filter((one) => messageIdsOf(one).includes(message.message_id));
  // A try whose answer was lost leaves no message id, but an outcome that is not "done", or a
  // further try.
  const nameless = evidence.filter(
    ({ effect }) => ['unknown', 'failed'].includes(effect.state) || effect.resolution !== undefined || effect.tries > 1,
  );
  const own = named.length > 0 ? named : nameless;
  const found = own.filter((one) => isAbout(one, message));
  const [one] = found;
  if (one?.judged === undefined) return 'no decided action with an effect shows it';
  if (one.effect.actionHash !== one.judged.hash || actionHash(one.judged.action) !== one.judged.hash)
    return 'its effect has another hash than its decision';
  if (!hasAllGates(one.judged.trace) || !hasAllGates(one.effect.trace)) return 'its gate trace is not complete';
  return undefined;
};

/** Messages the bot sent that the table does not account for; empty when all is well. */
export const findUnaccounted = async (world: TestStack): Promise<readonly string[]> => {
  const evidence = readEvidence(await world.scan());
  return world.telegram.sent().flatMap((message) => {
    const problem = problemOf(evidence, message);
    return problem === undefined ? [] : [`to ${message.chat.id}: "${message.text?.slice(0, 80)}": ${problem}`];
  });
};
