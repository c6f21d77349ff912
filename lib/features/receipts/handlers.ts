/** The answer to the verb that proves an action. */
import { NotFoundError } from '../../core/base/errors.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import { type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { buildFileText } from '../../core/text/file-text.ts';
import { loadNamedTurn } from '../../core/verbs/signals/load-named-turn.ts';
import { loadDescendants } from '../../core/verbs/signals/load-story.ts';
import { loadStoredSignal } from '../../core/verbs/signals/stored-signal.ts';
import { receipt } from './operations.ts';
import { buildReceipt, receiptText } from './receipt.ts';
import { receiptTexts } from './texts.ts';
import { deedsOf } from './views.ts';

/** Characters of an action's name in that of a file. */
const DEED_CHARS_SHOWN = 50;

/** @throws NotFoundError */
const findLastDeed = async ({ table, space, session, language }: LookContext): Promise<string> => {
  const load = (id: string) => loadStoredSignal(table, space, id);
  for (const root of (await loadHead(table, { space, session }))?.recent?.toReversed() ?? []) {
    const stored = await load(root);
    const found = stored && [stored, ...(await loadDescendants(load, stored))].flatMap(deedsOf).at(-1);
    if (found !== undefined) return found;
  }
  throw new NotFoundError((await receiptTexts.in(language)).noDeed);
};

export const RECEIPT_HANDLERS: readonly Handler[] = [
  look(receipt, async (context, { action, hideContent }) => {
    const { table, space, asker } = context;
    const say = await receiptTexts.in(context.language);
    const typed = action ?? (await findLastDeed(context));
    const [id] = /^.+(?=#\d+$)/.exec(typed) ?? [];
    const found = id === undefined ? '' : (await loadNamedTurn(context, id)).stored.record.signal.id;
    const named = `${found}${typed.slice(id?.length ?? 0)}`;
    // A chat's answer is stored, so the words of an action would outlive it there.
    const hasContent = asker === undefined && hideContent !== 'true';
    const made = await buildReceipt(table, space, named, hasContent);
    if (made === undefined) return { data: {}, lines: [say.notInLog(named)] };
    const name = `receipt-${named.replace(/\W+/g, '-').slice(-DEED_CHARS_SHOWN)}.txt`;
    const lines = asker === undefined ? [say.receiptOf(named)] : [buildFileText(name, receiptText(made))];
    return { data: { receipt: { ...made } }, lines };
  }),
];
