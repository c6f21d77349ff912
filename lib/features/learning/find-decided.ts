/**
 * Habits of a person's yes and no. An action that was approved again and again, and never denied,
 * is offered as a grant; one that was denied again and again, and never approved, as a rule. Tools
 * that change rights, destroy data or run programs are never offered as a grant; an argument is
 * left open only of a tool known to change no file. Pure.
 */
import { showPlainly } from '../../core/approvals/show-plainly.ts';
import { canonicalJson, hashOf } from '../../core/base/canonical.ts';
import { DAY_MS, HOUR_MS } from '../../core/base/limits.ts';
import { isExactOnly } from '../../core/gates/rules/approval-fitness.ts';
import { LEARNED_PREFIX } from '../../core/judge/rules-learned.ts';
import type { Action } from '../../core/signal/action.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { draftRule } from '../policy/draft-rule.ts';
import { argsWithout, type Group, groupActions, loosenedFor, valuesAt } from './frames.ts';
import type { AskedAction } from './habit-evidence.ts';
import { HABIT_TIMES_MIN, OFFER_EVIDENCE_MAX, type Offer } from './offer.ts';
import { acceptOffer } from './tools.ts';

/** How far back habits are looked for, and how long a grant that comes of one lasts. */
export const HABIT_WINDOW_MS = 14 * DAY_MS;

/** The newest of them, the oldest first. */
export const newest = <T extends { readonly at: number; readonly id: string }>(pieces: readonly T[]): readonly T[] =>
  pieces.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).slice(-OFFER_EVIDENCE_MAX);

export const proofOf = ({ id, at }: { readonly id: string; readonly at: number }) => ({ id, at });

const callOf = ({ target, tool, to, url, text }: Action): readonly unknown[] =>
  [target, tool, to, url, text].map((field) => field ?? null);

/** A grant is for one conversation and for the gates that asked, under the same rules. */
const grantFrame = ({ action, session, sensor, gates, policyVersion }: AskedAction): string =>
  canonicalJson([...callOf(action), session, sensor, [...new Set(gates)].sort(), policyVersion]);

/** A rule is for the whole space. */
const ruleFrame = ({ action, sensor }: AskedAction): string => canonicalJson([...callOf(action), sensor]);

/** Whether a standing yes may be offered for the tool at all. */
const isGrantable = ({ author, tool = '' }: Action): boolean => {
  const effects = findTool(tool)?.effects ?? {};
  const isKnown = findTool(tool) !== undefined || isMcpTool(tool);
  const isGrave = effects.changesAuthority ?? effects.destroys ?? effects.runsCode ?? effects.runsCommand;
  return author === 'model' && isKnown && isGrave === undefined && findTool(tool)?.isAlwaysAsked !== true;
};

/** Nobody knows what the tools of other servers change. */
const mayBeOpen = ({ tool = '' }: Action): boolean => !isMcpTool(tool) && !isExactOnly(findTool(tool)?.effects ?? {});

/** No habit comes of what a card could not show as it is. */
const isShownAsIs = (action: Action): boolean => {
  const bytes = canonicalJson(action);
  return showPlainly(bytes) === bytes;
};

/** The clean actions that ended so; none if one of the group ended otherwise, clean or not. */
const unanimous = (group: Group, ending: AskedAction['ending']): Group | undefined => {
  if (group.actions.some((asked) => asked.ending !== ending)) return undefined;
  const actions = newest(group.actions.filter(({ isClean, action }) => isClean && isShownAsIs(action)));
  const clean = { path: group.path, actions };
  // An argument is loosened only if it differed each of several times.
  const times = group.path === '' ? actions.length : valuesAt(clean).length;
  return times < HABIT_TIMES_MIN ? undefined : clean;
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Names the habit, whatever further evidence comes to it. */
const shapeOf = (kind: Offer['kind'], frame: readonly unknown[], path: string, { args = {} }: Action): string =>
  hashOf('habit', [kind, ...frame, path, argsWithout(args, path)]);

const grantOf = ({ path, actions }: Group): Offer | undefined => {
  const last = actions.at(-1);
  if (last === undefined || !isGrantable(last.action)) return undefined;
  if (path !== '' && !mayBeOpen(last.action)) return undefined;
  const { session, sensor, action } = last;
  return {
    kind: 'grant',
    shape: shapeOf('grant', [...callOf(action), session, sensor], path, action),
    evidence: actions.map(proofOf),
    action: last.id,
    loosen: path === '' ? [] : [loosenedFor({ path, actions })],
    count: actions.length,
    hours: HABIT_WINDOW_MS / HOUR_MS,
  };
};

const ruleOf = ({ path, actions }: Group): Offer | undefined => {
  const action = actions.at(-1)?.action;
  if (action?.author !== 'model') return undefined;
  const shape = shapeOf('rule', callOf(action), path, action);
  const rule = draftRule(action, path, `${LEARNED_PREFIX}${shape.slice(0, 12)}`);
  return rule === undefined ? undefined : { kind: 'rule', shape, evidence: actions.map(proofOf), rule };
};

export const findDecided = (asked: readonly AskedAction[]): readonly Offer[] => {
  const calls = asked.filter(({ action }) => action.tool !== undefined && action.tool !== acceptOffer.name);
  const approved = groupActions(calls, grantFrame).map((group) => unanimous(group, 'approved'));
  const denied = groupActions(calls, ruleFrame).map((group) => unanimous(group, 'denied'));
  return [...approved.filter(isDefined).map(grantOf), ...denied.filter(isDefined).map(ruleOf)].filter(isDefined);
};
