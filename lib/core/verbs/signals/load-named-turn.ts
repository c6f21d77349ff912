/** Finds the task that a person names, if this person may see it. */
import { findTypedIn } from '../../approvals/approval.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { LookContext } from '../../operations/operation.ts';
import { isGroup } from '../../signal/channels.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import { loadTurn } from './load-story.ts';
import { signalTexts } from './texts.ts';

/** Whether both have one conversation, or are answered in one chat, as a webhook's task is. */
const isOfHere = ({ session, reply }: Signal, asker: Signal): boolean =>
  session === asker.session || (reply.target === asker.reply.target && reply.to === asker.reply.to);

/** Others read along in a group: there even an approver sees only the group's tasks. */
const maySee = (signal: Signal, asker: Signal | undefined): boolean =>
  asker === undefined || isOfHere(signal, asker) || (asker.sender.isApprover && !isGroup(asker.reply));

/** @param id the whole one, or the start of one of the newest. @throws NotFoundError */
export const loadNamedTurn = async (
  { table, space, asker, language }: Pick<LookContext, 'table' | 'space' | 'asker' | 'language'>,
  id: string,
) => {
  const exact = await loadTurn(table, space, id);
  const started = exact === undefined ? await findTypedIn(table, indexPartitions.feed(space), id) : undefined;
  const found = exact ?? (started === undefined ? undefined : await loadTurn(table, space, started));
  if (found !== undefined && maySee(found.stored.record.signal, asker)) return found;
  const say = await signalTexts.in(language);
  throw new NotFoundError(say.noSuchTask(id.replace(/[^\w/.:-]/gu, '').slice(0, 80)));
};
