/** @param args of `run-runbook`, whole @returns lines for a person @throws ProtocolError */
import * as z from 'zod/mini';
import { type Json, JsonObject } from '../../core/base/json.ts';
import type { OwnerSettings } from '../../core/ledger/owner-settings.ts';
import { describeProblem, type Sandbox } from '../../core/sandbox/sandbox.ts';
import type { Item } from '../../core/store/table.ts';
import { readActiveSkills } from './active.ts';
import type { Listener } from './listener.ts';
import { isSkillOn } from './skill-on.ts';

/** Actions of one run of a handler: more would flood the chat that it answers. */
const HANDLER_ACTIONS_MAX = 4;
/** One text: about a screen of a chat. */
const HANDLER_TEXT_CHARS_MAX = 4_000;

/**
 * The handlers of the skills that are switched on, in order. None if the record of skills or the
 * settings cannot be read. @param hooks such as `sensor:webhook`, `tick`
 */
export const listenersOf = (
  item: Item | undefined,
  settings: OwnerSettings | undefined,
  hooks: readonly string[],
): readonly Listener[] => {
  const skills = item === undefined || settings === undefined ? [] : (readActiveSkills(item)?.skills ?? []);
  const isOn = (name: string): boolean => settings !== undefined && isSkillOn(name, settings);
  return skills
    .filter(({ name }) => isOn(name))
    .flatMap(({ name: skill, trust, definition, files }) =>
      definition.handlers.flatMap(({ name: handler, file, on }) =>
        on
          .filter((hook) => hooks.includes(hook))
          .map((hook) => ({ skill, trust, handler, on: hook, code: files[file] ?? '' })),
      ),
    );
};

const Say = z.strictObject({ say: z.string().check(z.regex(/\S/), z.maxLength(HANDLER_TEXT_CHARS_MAX)) });
const Call = z.strictObject({ tool: z.string(), args: z._default(JsonObject, {}) });
export type HandlerStep = z.infer<typeof Say> | z.infer<typeof Call>;

const Choice = z.union([
  z.enum(['skip', 'abort']),
  z.strictObject({ text: Say.shape.say }),
  z.strictObject({ retry: Say.shape.say }),
]);

const Answer = z.strictObject({
  do: z._default(z.array(z.union([Say, Call])).check(z.maxLength(HANDLER_ACTIONS_MAX)), []),
  choose: z.optional(Choice),
});
export type HandlerAnswer = z.infer<typeof Answer>;

/** @returns the answer, or a sentence that says why there is none */
export const runHandler = (
  sandbox: Sandbox,
  { skill, handler, on }: Pick<Listener, 'skill' | 'handler' | 'on'>,
  code: string,
  event: Json,
): HandlerAnswer | string => {
  const name = `the handler ${handler} of the skill ${skill}`;
  const outcome = sandbox.run({ code, call: 'handler', input: [{ on, event }] });
  if (outcome.kind === 'problem') return `${name} ${describeProblem(outcome)}`;
  const answer = Answer.safeParse(outcome.value ?? {});
  if (!answer.success) return `${name} gave no answer that it may give`;
  const isError = on.startsWith('error:');
  return isError || answer.data.choose === undefined ? answer.data : `${name} may choose only on an error`;
};
