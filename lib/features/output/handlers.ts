/**
 * The answer to the verb of outputs: what is stored of an effect, as it was stored, with secrets
 * left out before that. Words of others stay marked as theirs. No model and no tool is asked.
 */
import { localTime } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { NotFoundError } from '../../core/base/errors.ts';
import { HISTORY_TURNS_MAX } from '../../core/base/limits.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import { type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import type { SeenObject } from '../../core/signal/decision.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { defang } from '../../core/text/tappable.ts';
import { LongOutput, longOutputId } from '../../core/tools/long-output.ts';
import { loadNamedTurn } from '../../core/verbs/signals/load-named-turn.ts';
import { loadDescendants } from '../../core/verbs/signals/load-story.ts';
import { loadStoredSignal, type StoredSignal } from '../../core/verbs/signals/stored-signal.ts';
import { output } from './operations.ts';
import { outputTexts } from './texts.ts';

/** Outputs that one answer knows: a chat's last turns have fewer. */
const OUTPUTS_MAX = 20;
/** Others that one answer names. */
const OTHERS_SHOWN = 5;
/** A part fits one Telegram message with its head and the names of others. */
const PART_CHARS = 3_000;

interface Returned {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  readonly origin: Origin;
  readonly at: number;
  readonly text: string;
  readonly seen: readonly SeenObject[];
}

/** The outputs of a turn's tools, the newest first. */
const returnedIn = (signals: readonly StoredSignal[]): readonly Returned[] =>
  signals
    .flatMap(({ record, decision, effects }) =>
      effects.flatMap(({ n, state, output: text, outputOrigin: origin = 'outside', settledAt: at = 0 }): Returned[] => {
        const tool = decision?.actions[n]?.action.tool;
        const id = `${record.signal.id}#${n}`;
        return tool === undefined || text === undefined
          ? []
          : [{ id, tool, state, origin, at, text, seen: decision?.seen ?? [] }];
      }),
    )
    .toSorted((one, other) => other.at - one.at);

const loaderOf =
  ({ table, space }: LookContext) =>
  (id: string) =>
    loadStoredSignal(table, space, id);

/** Of the conversation's last turns, until there are enough. */
const loadRecent = async (context: LookContext, count: number): Promise<readonly Returned[]> => {
  const load = loaderOf(context);
  const head = await loadHead(context.table, context);
  const found: Returned[] = [];
  for (const root of (head?.recent ?? []).toReversed().slice(0, HISTORY_TURNS_MAX)) {
    const stored = await load(root);
    if (stored !== undefined) found.push(...returnedIn([stored, ...(await loadDescendants(load, stored))]));
    if (found.length >= count) break;
  }
  return found.slice(0, OUTPUTS_MAX);
};

/** Of one task, or of one action. @throws NotFoundError also for one that is not theirs to see */
const loadNamed = async (context: LookContext, named: string): Promise<readonly Returned[]> => {
  const [, id = '', n] = /^([^#]*)(#\d{1,2})?$/.exec(named) ?? [];
  const { stored } = await loadNamedTurn(context, id);
  if (n !== undefined) return returnedIn([stored]).filter((one) => one.id.endsWith(n));
  return returnedIn([stored, ...(await loadDescendants(loaderOf(context), stored))]);
};

/** All that is stored of a long one. Any text may look like another's beginning. */
const loadWhole = async ({ table, space }: LookContext, { id, text }: Returned) => {
  if (longOutputId(text) !== id) return { text, chars: text.length };
  const [signalId = '', n = ''] = id.split('#');
  const kept = LongOutput.safeParse(await loadItem(table, signalKeys.output(space, signalId, Number(n))));
  return kept.success ? kept.data : { text, chars: text.length };
};

export const OUTPUT_HANDLERS: readonly Handler[] = [
  look(output, async (context, { of = '1', part: asked = '1' }) => {
    const say = await outputTexts.in(context.language);
    const number = /^\d{1,2}$/.test(of) ? Number(of) : undefined;
    const found =
      number === undefined ? await loadNamed(context, of) : await loadRecent(context, Math.max(number, OTHERS_SHOWN));
    const shown = found[(number ?? 1) - 1];
    if (shown === undefined && number === undefined) throw new NotFoundError(say.noneIn(of.slice(0, 80)));
    if (shown === undefined) throw new NotFoundError(found.length === 0 ? say.none : say.noNumber(found.length));
    const { text, chars } = await loadWhole(context, shown);
    const parts = Math.max(1, Math.ceil(text.length / PART_CHARS));
    const part = Number(asked);
    if (part > parts) throw new NotFoundError(say.noPart(parts));
    const piece = text.slice((part - 1) * PART_CHARS, part * PART_CHARS).toWellFormed();
    const isOutside = shown.origin === 'outside';
    const time = (at: number): string => localTime(say, at, context.zone);
    const others = found
      .map((one, n) => say.other(`/output ${number === undefined ? one.id : n + 1}`, one.tool, time(one.at)))
      .filter((_, n) => found[n] !== shown);
    return {
      data: {
        outputs: found.map(({ text: _text, seen: _seen, ...rest }) => rest),
        ...{ text: piece, part, parts },
      },
      lines: [
        say.head(shown.tool, say.state(shown.state), time(shown.at), shown.id),
        ...(isOutside ? [say.outside, defang(piece).replaceAll(/^/gm, '> ')] : [piece]),
        ...(parts === 1 ? [] : [say.part(part, parts, part < parts ? `/output ${shown.id} ${part + 1}` : undefined)]),
        ...(chars > text.length && part === parts ? [say.cut(chars)] : []),
        ...others.slice(0, OTHERS_SHOWN),
      ],
      // To forget a note that it shows erases this answer too.
      ...defined({ seen: context.asker && shown.seen }),
    };
  }),
];
