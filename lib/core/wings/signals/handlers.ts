/** The answers to the verbs about signals. */

import { defined } from '../../base/defined.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { PENDING_APPROVALS_MAX } from '../../base/limits.ts';
import { cardWords } from '../../judge/card.ts';
import { loadRules } from '../../judge/rules-learned.ts';
import { lookAtWaiting } from '../../judge/waiting-approvals.ts';
import { type Finding, sayFinding } from '../../language/finding.ts';
import { loadKillSwitch } from '../../ledger/kill-switch.ts';
import { loadHead, loadStoppedSessions } from '../../ledger/session-controls.ts';
import type { FeatureViews } from '../../operations/feature-views.ts';
import { type Handler, type LookContext, look } from '../../operations/operation.ts';
import { isGroup } from '../../signal/channels.ts';
import { indexPartitions } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { allFindings, findSilence, loadFindings, loadLazy } from './findings.ts';
import { loadNamedTurn } from './load-named-turn.ts';
import { buildStory } from './load-story.ts';
import { doctor, status, why } from './operations.ts';
import { briefLines, wholeLines } from './story-lines.ts';
import { signalTexts } from './texts.ts';

const statusOfFeatures = async (context: LookContext) => {
  const { FEATURE_VIEWS } = await loadLazy();
  const parts = await Promise.all(FEATURE_VIEWS.map(({ status }) => status?.(context)));
  const data: JsonObject = Object.assign({}, ...parts.map((part) => part?.data));
  return { data, lines: parts.flatMap((part) => part?.lines ?? []) };
};

/** Makes `<id>#<n>` of the keys `signal#<space>#<id>` and `effect#<n>`. */
const effectName = ({ pk, sk }: Item): string =>
  `${String(pk).split('#').slice(2).join('#')}#${String(sk).split('#')[1] ?? ''}`;

const NOTHING = { lines: [] } as const;

const offerBelow: NonNullable<FeatureViews['offer']> = async (told, context) => {
  const { FEATURE_VIEWS } = await loadLazy();
  return (await FEATURE_VIEWS.find(({ offer }) => offer)?.offer?.(told, context)) ?? NOTHING;
};

export const SIGNAL_HANDLERS: readonly Handler[] = [
  look(status, async (context) => {
    const { table, space, session, now } = context;
    const say = await signalTexts.in(context.language);
    const texts = await (await loadLazy()).findingTexts.in(context.language);
    const head = await loadHead(table, { space, session });
    const asked = await lookAtWaiting(table, space, now);
    // Those that this release cannot read wait too.
    const approvals = asked.approvals.length + asked.unread;
    const partition = indexPartitions.unknownEffects(space);
    const unknown = await table.queryIndex({ index: 'unfinished', partition, limit: PENDING_APPROVALS_MAX });
    const stoppedSessions = await loadStoppedSessions(table, space);
    const elsewhere = stoppedSessions.filter((name) => name !== session);
    const features = await statusOfFeatures(context);
    const isStopped = (await loadKillSwitch(table, space))?.isStopped ?? false;
    const isStoppedHere = head?.stoppedBecause !== undefined;
    const waiting = head?.mailbox?.length ?? 0;
    const last = head?.recent?.at(-1);
    const data = { isStopped, waiting, approvals, stoppedSessions: [...stoppedSessions], pausedJobs: [] };
    return {
      data: { ...data, ...features.data, ...defined({ turn: head?.turn }) },
      lines: [
        ...(isStopped ? [say.stopped] : []),
        ...(isStopped || isStoppedHere ? [] : [say.notStopped]),
        ...(head?.stoppedBecause === undefined ? [] : [say.stoppedHere(head.stoppedBecause)]),
        ...(elsewhere.length === 0 ? [] : [say.stoppedElsewhere(elsewhere.join(', '))]),
        head?.turn === undefined ? say.idle : say.working(head.turn),
        say.waiting(waiting, approvals),
        ...(await loadFindings(context)).findings.map((one) => say.attention(sayFinding(texts, one))),
        await loadRules(table, space, now, say),
        ...features.lines,
        ...unknown.items.map((item) => say.unknownOutcome(effectName(item))),
        ...(last === undefined ? [] : [say.lastTask(last)]),
      ],
    };
  }),
  look(doctor, async (context) => {
    const { providerNames = [], asker } = context;
    const say = await signalTexts.in(context.language);
    // In a chat an empty list means that the names are not known.
    const models = providerNames.length === 0 && asker !== undefined ? undefined : providerNames;
    const findings = allFindings(await loadFindings(context), models);
    const silence = findSilence(findings, models);
    const { findingTexts } = await loadLazy();
    const texts = await findingTexts.in(context.language);
    const inWords = (one: Finding): string => sayFinding(texts, one);
    const because = silence && sayFinding(findingTexts.en, silence);
    return {
      data: {
        canAnswer: silence === undefined,
        findings: findings.map((one) => sayFinding(findingTexts.en, one)),
        ...defined({ because }),
      },
      lines: [
        say.canAnswer(silence && inWords(silence)),
        ...(findings.length === 0 ? [say.nothingWrong] : findings.map((one) => say.wrong(inWords(one)))),
        say.moreChecks,
      ],
    };
  }),
  look(why, async (context, { id }) => {
    const { table, space, session, now, asker } = context;
    const say = await signalTexts.in(context.language);
    const asked = id ?? (await loadHead(table, { space, session }))?.recent?.at(-1);
    if (asked === undefined) throw new NotFoundError(say.noTaskYet);
    const found = await loadNamedTurn(context, asked);
    const view = { ...(await buildStory(found, now)), rules: await loadRules(table, space, now) };
    const rules = await loadRules(table, space, now, say);
    const lines =
      asker === undefined
        ? wholeLines({ ...view, rules }, say, await cardWords.in(context.language))
        : briefLines(found.stored, view, say);
    // In a group others read along.
    const hasRules = asker !== undefined && !isGroup(asker.reply);
    const { lines: below, ...offered } = asker === undefined ? NOTHING : await offerBelow(found.stored, context);
    return {
      data: { ...view, replies: [...view.replies] },
      lines: [...lines, ...(hasRules ? [rules] : []), ...below],
      ...offered,
    };
  }),
];
