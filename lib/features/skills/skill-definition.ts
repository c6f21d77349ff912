/** A skill as `SKILL.md` and `passepartout.yaml` define it, with every default. Pure. */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import { FAILURES } from '../../core/ledger/recover-failure.ts';
import { RunbookName } from '../../core/signal/runbook-name.ts';
import { SENSOR_NAMES, type Sensor } from '../../core/signal/signal.ts';
import { JobDraft } from '../jobs/job-draft.ts';
import { SkillName } from './skill-change.ts';
import { SkillPlace } from './skill-places.ts';
import { SkillTarget } from './skill-targets.ts';

/** As agentskills.io says. */
export const DESCRIPTION_CHARS_MAX = 1_024;
/** As agentskills.io says. */
export const COMPATIBILITY_CHARS_MAX = 500;
/** Names of tools: they are stored with each decision that they narrow. */
const ALLOWED_TOOLS_CHARS_MAX = 2_000;
/** One line of a standing instruction. */
export const MANDATE_CHARS_MAX = 300;
/** The schema of a tool's arguments. */
const TOOL_ARGS_CHARS_MAX = 2_000;
/** Mandates, words, tools and the like of one skill: a person reads them on a card. */
const SKILL_ENTRIES_MAX = 32;
/** Code of one skill: each gate runs at every action. */
const SKILL_CODE_FILES_MAX = 8;
/** Jobs of one skill. */
const SKILL_JOBS_MAX = 8;
/** Runbooks of one skill: each is a file that a person reads. */
const SKILL_RUNBOOKS_MAX = 8;
/** Webhooks of one skill, and places: a person reads each address. */
const SKILL_TARGETS_MAX = 8;
const PRIORITY_MAX = 1_000;

const line = (charsMax: number) =>
  z.string().check(z.minLength(1), z.maxLength(charsMax), z.regex(/^[^\n\r]*$/, 'must be a single line'));
const path = z.string().check(z.maxLength(200));
const list = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.maxLength(SKILL_ENTRIES_MAX));

/** Lower-case words joined by `-`. */
const PartName = z.string().check(z.regex(/^(?=.{1,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/));

/** A tool's name, or the beginning of some with `*`: `mcp-github-*`. */
const ToolPattern = z.string().check(z.maxLength(128), z.regex(/^\S+$/, 'must be a single word'));

/** An event about these could cause itself again. */
const SENSORS_WITHOUT_EVENTS: readonly Sensor[] = ['skill-event', 'notice', 'heartbeat'];
/** Kinds of failures, and a cap of spending that had no room for a question. */
const ERRORS = [...Object.keys(FAILURES), 'budget'];
const HOOKS: ReadonlySet<string> = new Set([
  ...['before-turn', 'after-turn', 'tick'],
  ...ERRORS.map((kind) => `error:${kind}`),
  ...SENSOR_NAMES.filter((sensor) => !SENSORS_WITHOUT_EVENTS.includes(sensor)).map((sensor) => `sensor:${sensor}`),
]);

/** Moments at which a handler of a skill runs. */
const HOOK_FORMS = `before-turn, after-turn, tick, sensor:<sensor>, or error:<kind> with one of ${ERRORS.join(', ')}`;
const SkillHook = z.string().check(z.refine((hook) => HOOKS.has(hook), `must be one of ${HOOK_FORMS}`));

const Zone = z.string().check(z.maxLength(64));

/** Scheduled work of the skill, as `/jobs add` takes it; its name follows the skill's. */
const SkillJob = z.strictObject({ ...z.omit(JobDraft, { edit: true, approveWhole: true }).shape, name: PartName });

/** A value that the owner may set for the skill, for use in its mandates. */
const SkillSetting = z.strictObject({ meaning: line(200), default: z.string().check(z.maxLength(200)) });

const SkillTier = z.enum(['auto', 'cognition', 'reasoning']);

const Tools = z.string().check(z.maxLength(ALLOWED_TOOLS_CHARS_MAX));
const ToolList = z
  .array(z.string())
  .check(z.refine((tools) => tools.join(' ').length <= ALLOWED_TOOLS_CHARS_MAX, 'names too many tools'));

/** `Page Check` as `page-check`. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');

const isNameable = (name: string): boolean => SkillName.safeParse(plainName(name)).success;

/** The frontmatter of `SKILL.md`, each scalar as its text. Other members mean nothing here. */
export const Frontmatter = z.object({
  name: z
    .string()
    .check(z.refine(isNameable, 'must be lower-case words of letters and digits, joined by -, 64 characters at most')),
  description: z.string().check(z.regex(/\S/, 'must not be empty')),
  license: z.optional(z.unknown()),
  compatibility: z.optional(z.unknown()),
  metadata: z.optional(z.unknown()),
  'allowed-tools': z.optional(z.union([Tools, ToolList])),
});

const CodeFile = z.strictObject({ name: PartName, file: path });
const Handler = z.strictObject({ name: PartName, file: path, on: list(SkillHook).check(z.minLength(1)) });

/**
 * Code that gives a text for a prompt, or the answer of a tool: it defines a function named after
 * what it gives. The list is absent in records of earlier releases.
 */
const SkillFunction = z.strictObject({
  name: PartName,
  file: path,
  gives: z.enum(['mandate', 'section', 'tool']),
  /** Of a tool: what it is for, and the JSON schema of its arguments. */
  description: z.optional(line(MANDATE_CHARS_MAX)),
  args: z.optional(
    JsonObject.check(
      z.refine(({ type }) => type === 'object', 'must be a JSON schema of the type object'),
      z.refine(
        (args) => JSON.stringify(args).length <= TOOL_ARGS_CHARS_MAX,
        `must have at most ${TOOL_ARGS_CHARS_MAX} characters`,
      ),
    ),
  ),
});
export type SkillFunction = z.infer<typeof SkillFunction>;

const NO_PROVIDERS =
  'cannot come with a skill: prompts and keys would go to the address in a file. Name the endpoint in the setting PROVIDERS';

/** `passepartout.yaml`. */
export const Extension = z.strictObject({
  /** A built-in skill that is off until the owner switches it on. */
  isOff: z.optional(z.literal(true)),
  priority: z._default(z.int().check(z.minimum(-PRIORITY_MAX), z.maximum(PRIORITY_MAX)), 10),
  requires: z._default(list(SkillName), []),
  trigger: z._default(
    z.strictObject({
      sensors: z._default(list(z.enum(SENSOR_NAMES)), []),
      /** `write … script`: up to 20 characters between the words. */
      words: z._default(
        list(line(64).check(z.regex(/^[^…]*\S\s*(…\s*\S[^…]*)?$/, 'may have one … between words'))),
        [],
      ),
      /** Five fields: a job of the skill's name, which has the agent do what the skill says. */
      schedule: z.optional(z.strictObject({ cron: line(128), zone: z.optional(Zone) })),
    }),
    { sensors: [], words: [] },
  ),
  tier: z._default(SkillTier, 'auto'),
  tools: z.optional(list(ToolPattern)),
  mandates: z._default(list(line(MANDATE_CHARS_MAX)), []),
  jobs: z._default(z.array(SkillJob).check(z.maxLength(SKILL_JOBS_MAX)), []),
  settings: z._default(z.record(PartName, SkillSetting), {}),
  gates: z._default(z.array(CodeFile).check(z.maxLength(SKILL_CODE_FILES_MAX)), []),
  handlers: z._default(z.array(Handler).check(z.maxLength(SKILL_CODE_FILES_MAX)), []),
  functions: z.optional(z.array(SkillFunction).check(z.maxLength(SKILL_CODE_FILES_MAX))),
  /** Webhooks that the agent may call while the skill is on. */
  targets: z.optional(z.array(SkillTarget).check(z.maxLength(SKILL_TARGETS_MAX))),
  /** Places of channels, by names that the agent may send texts to while the skill is on. */
  places: z.optional(z.array(SkillPlace).check(z.maxLength(SKILL_TARGETS_MAX))),
  /** Refused. */
  providers: z.optional(z.custom<undefined>(() => false, NO_PROVIDERS)),
  /** Files of runbooks, which a person or a job starts by their names. */
  runbooks: z.optional(z.array(path).check(z.maxLength(SKILL_RUNBOOKS_MAX))),
});

/** A runbook of a skill, as its file names and describes it. */
const SkillRunbook = z.strictObject({ name: RunbookName, description: z.string(), file: path });
export type SkillRunbook = z.infer<typeof SkillRunbook>;

/** Both files together. `allowedTools` and `tools` only narrow what the model is offered. */
export const SkillDefinition = z.strictObject({
  name: SkillName,
  description: z.string(),
  license: z.optional(z.string()),
  compatibility: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  allowedTools: z.optional(z.array(z.string())),
  ...Extension.shape,
  runbooks: z.optional(z.array(SkillRunbook)),
});
export type SkillDefinition = z.infer<typeof SkillDefinition>;
