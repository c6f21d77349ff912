/**
 * Tells the owner's home chat, at most once a week, how many questions were answered with a yes
 * within three seconds, and what could be granted. Below a bound nothing is said. It comes within
 * an hour of the yes that passed the bound, so while the person is there; a muted chat gets it
 * later. A repeat after a crash sends nothing twice: the week names its signal.
 */
import * as z from 'zod/mini';
import { ANSWERS_WINDOW_MS, countAnswers, loadAsked, QUICK_YESES_MIN } from '../../approvals/count-answers.ts';
import { SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import { approvalNotices } from '../../judge/approval-notices.ts';
import { buildNoticeDecision } from '../../judge/notify.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { saveDecidedSignal } from '../../ledger/ledger.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { buildRecordItem } from '../../ledger/record.ts';
import { homeRoute } from '../../signal/channels.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import { settingKey } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { TellDeps } from './tell-of-run.ts';

/** When it was told last, epoch milliseconds. */
const Told = z.object({ schemaVersion: z.literal(1), at: z.int() });

const toldKey = (space: string) => settingKey(space, 'answers-told');

const buildSignal = (space: string, id: string, reply: Signal['reply'], template: string, now: number): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id,
  type: 'RESPONSE',
  source: 'system',
  space,
  session: 'system:answers',
  root: id,
  depth: 0,
  receivedAt: now,
  sender: { id: 'system', isApprover: false },
  reply,
  payload: { sensor: 'notice', template },
});

/** @returns whether it was told */
export const tellOfAnswers = async (deps: TellDeps & { readonly homeChat?: string | undefined }): Promise<boolean> => {
  const { table, space, now } = deps;
  const reply = homeRoute(deps.homeChat);
  const items = await loadNamed(table, { told: toldKey(space), owner: ownerSettingsKey(space) });
  const told = Told.safeParse(items.told).data?.at;
  if (reply === undefined || (told !== undefined && now - told < ANSWERS_WINDOW_MS)) return false;
  const answers = countAnswers(await loadAsked(table, space, now - ANSWERS_WINDOW_MS));
  if (answers.quick < QUICK_YESES_MIN) return false;
  const notice = approvalNotices.quickAnswers(answers);
  const signal = buildSignal(space, `answers-${told ?? 0}`, reply, notice.template, now);
  const context = { gateSet: await deps.loadGateSet(), now, settings: readOwnerSettings(items.owner) };
  const decision = await buildNoticeDecision(context, signal, 'act', '', [notice]);
  await saveDecidedSignal(table, signal, buildRecordItem(signal, 'reasoned', now + SWEEP_BACKOFF_MS[0]), decision);
  await table.put(toldKey(space), { schemaVersion: 1, at: now });
  await deps.publishPerceive(perceiveMessage(signal), 'notice');
  return true;
};
