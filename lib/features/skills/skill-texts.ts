/** Texts that skills' code computes for a turn. Loaded only for turns in which it runs. */
import type { JsonObject } from '../../core/base/json.ts';
import { parseDaySpend } from '../../core/money/day-spend.ts';
import { block, cleanText } from '../../core/prompt/blocks.ts';
import { clockText, dateText } from '../../core/prompt/system-section.ts';
import { isGroup } from '../../core/signal/channels.ts';
import type { LoadedTurn } from '../../core/stages/reason/load-turn.ts';
import type { ReasonDeps } from '../../core/stages/reason/reason-deps.ts';
import type { ActiveSkill } from './active.ts';
import { type ComputedText, computeTexts } from './functions.ts';
import { settingsOf } from './turn-skills.ts';

type Deps = Pick<ReasonDeps, 'table' | 'identity' | 'budget' | 'now'>;

export interface SkillTexts {
  /** Of skills that are the owner's, as a prompt shows them. */
  readonly own: readonly string[];
  /** Of the triggered skill from outside. */
  readonly ofShown: readonly string[];
  /** A skill that is on has a tool. Those of the owner's skills, as the list of skills has them. */
  readonly hasTools: boolean;
  readonly ownTools: readonly { readonly name: string; readonly description: string }[];
  /** Names of the skills whose functions ran, and of those of which one failed. */
  readonly ran: readonly string[];
  readonly failed: readonly string[];
}

/** All that a function is told: nothing that anybody wrote but the owner's settings. */
const factsOf = ({ identity: { zone }, budget, now }: Deps, turn: LoadedTurn, shown: string | undefined) => {
  const { reply } = turn.record.signal;
  const at = now();
  const [weekday = '', date = ''] = dateText(at, zone).split(' ');
  const spent = parseDaySpend(turn.spending.item);
  const facts = {
    now: at,
    zone,
    weekday,
    date,
    time: clockText(at, zone),
    channel: reply.target,
    isGroup: isGroup(reply),
    skill: shown ?? '',
    usdLeft: Math.max(0, budget.caps.day - spent.usd),
    tokensLeft: Math.max(0, budget.caps.dayTokens - spent.tokens),
  };
  return (skill: ActiveSkill): JsonObject => ({ ...facts, settings: settingsOf(skill, turn) });
};

const show = ({ skill, gives, text }: ComputedText): string =>
  gives === 'mandate' ? `- Mandate for now: ${cleanText(text)}` : block(`skill ${skill}`, cleanText(text));

/** The tools of a skill in words, with the fields of their arguments. */
const toolsOf = ({ name: skill, definition }: ActiveSkill) =>
  (definition.functions ?? []).flatMap(({ gives, name, description = '', args = {} }) => {
    if (gives !== 'tool') return [];
    const fields = JSON.stringify(args.properties ?? {});
    return [{ skill, name: `run-skill ${skill} ${name}`, description: `${description} Its args: ${fields}` }];
  });

/** @param skills those with functions @param shown name of the triggered skill */
export const loadSkillTexts = async (
  deps: Deps,
  turn: LoadedTurn,
  skills: readonly ActiveSkill[],
  shown: string | undefined,
): Promise<SkillTexts> => {
  const { space } = turn.record.signal;
  const seen = skills.filter(({ name, trust }) => trust === 'owner' || name === shown);
  const { texts, ran, failed } = await computeTexts(deps.table, space, seen, factsOf(deps, turn, shown));
  const own = new Set(skills.flatMap(({ name, trust }) => (trust === 'owner' ? [name] : [])));
  const tools = seen.flatMap(toolsOf);
  return {
    own: texts.filter(({ skill }) => own.has(skill)).map(show),
    ofShown: [
      ...texts.filter(({ skill }) => !own.has(skill)).map(({ text }) => text),
      ...tools.filter(({ skill }) => !own.has(skill)).map(({ name, description }) => `- ${name}: ${description}`),
    ],
    hasTools: skills.some((skill) => toolsOf(skill).length > 0),
    ownTools: tools.filter(({ skill }) => own.has(skill)),
    ran,
    failed,
  };
};
