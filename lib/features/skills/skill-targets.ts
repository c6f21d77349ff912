/**
 * Webhooks and places for texts that added skills bring. The yes to a skill covers exactly the
 * addresses on its card, so they are gone with the skill or its version. Each call and text is
 * judged like one to the owner's own, which win over a skill's of the same name. Every stage reads
 * them, so this has a small schema of its own. A record that cannot be read brings none. Pure.
 */
import * as z from 'zod/mini';
import { asText } from '../../core/base/json.ts';
import type { OwnerSettings, Places } from '../../core/ledger/owner-settings.ts';
import { ChannelId } from '../../core/signal/channels.ts';
import { SafeUrl } from '../../core/store/setting-forms.ts';
import type { Item } from '../../core/store/table.ts';
import { isSkillOn } from './skill-on.ts';

/** Shown on a card in full. */
const TARGET_URL_CHARS_MAX = 500;

const isPlain = (text: string): boolean => {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '' && url.hash === '' && !text.includes('{'));
};

export const TargetName = z.string().check(z.regex(/^(?=.{1,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/));

/** A webhook without a credential: it is called by POST, as configured ones are. */
export const SkillTarget = z.strictObject({
  name: TargetName,
  url: z.pipe(
    SafeUrl.check(
      z.maxLength(TARGET_URL_CHARS_MAX),
      z.refine(isPlain, 'must hold no user name, password, fragment or field'),
    ),
    z.transform((url) => new URL(url).href),
  ),
});
export type SkillTarget = z.infer<typeof SkillTarget>;

/** As `skill-places.ts` checked it when the skill was added. */
const StoredPlace = z.object({ name: z.string(), channel: ChannelId, place: z.string() });

const Stored = z.object({
  skills: asText(
    z.array(
      z.object({
        name: z.string(),
        definition: z.object({ targets: z.optional(z.array(SkillTarget)), places: z.optional(z.array(StoredPlace)) }),
      }),
    ),
  ),
});

/** @param settings undefined if unreadable */
const definitionsOn = (item: Item | undefined, settings: OwnerSettings | undefined) => {
  if (item === undefined || settings === undefined) return [];
  const skills = Stored.safeParse(item).data?.skills ?? [];
  return skills.filter(({ name }) => isSkillOn(name, settings)).map(({ definition }) => definition);
};

/** Addresses by name, of the skills that are on. */
export const skillTargets = (...stored: Parameters<typeof definitionsOn>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    definitionsOn(...stored).flatMap(({ targets = [] }) => targets.map(({ name, url }) => [name, url])),
  );

/** Places by name, of the skills that are on. */
export const skillPlaces = (...stored: Parameters<typeof definitionsOn>): Places =>
  new Map(
    definitionsOn(...stored).flatMap(({ places = [] }) =>
      places.map(({ name, channel: target, place: to }) => [name, [{ target, to }]]),
    ),
  );

export const describeTargets = (targets: readonly SkillTarget[] = []): readonly string[] =>
  targets.map(({ name, url }) => `It brings the webhook ${name}: each call is a POST to ${url}`);

/** @param configured names of the owner's webhooks */
export const takenTargets = (
  targets: readonly SkillTarget[] = [],
  configured: Readonly<Record<string, string>> = {},
): readonly string[] =>
  targets.flatMap(({ name }) =>
    Object.hasOwn(configured, name)
      ? [`your settings have a webhook ${name} already: the skill must give its own another name`]
      : [],
  );
