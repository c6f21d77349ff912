/**
 * Parses a policy with the Cedar engine, and says everything that is wrong with a text and where.
 * It must type-check against the schema of the tool catalogue, because without a schema Cedar skips
 * a `forbid` that errors.
 */

import * as z from 'zod/mini';
import { nearest } from '../../core/base/distance.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import { POLICY_SCHEMA } from './policy-domain.ts';

export interface PolicyRule {
  /** The engine's name for it: `rule0`, `rule1` … by its place in the text. */
  readonly policyId: string;
  readonly text: string;
  /** Its `@id`, or `rule 3 (line 12)`. */
  readonly name: string;
  readonly effect: 'permit' | 'forbid';
  /** Has `@ask`: a person must approve the actions it permits. */
  readonly isAsk: boolean;
  /** A condition speaks of the class or the programs of a command. */
  readonly namesCommands: boolean;
  /** A condition speaks of the past. */
  readonly namesPast: boolean;
  /** A condition speaks of `context.hour`. */
  readonly namesHour: boolean;
  /** Facts that only a target's declaration names. */
  readonly asksFor: readonly ('recipient' | 'amount')[];
  /** The one action that its scope names; undefined if it may match several. */
  readonly action: string | undefined;
  readonly line: number;
}

export interface ParsedPolicy {
  readonly rules: readonly PolicyRule[];
  /** Sentences with line and column. A policy with a problem is not used. */
  readonly problems: readonly string[];
  /** Ids of rules that can match no request, as the type checker proves. */
  readonly impossible: ReadonlySet<string>;
}

type DetailedError = Parameters<typeof sayError>[1];

/** `line 3, column 7`, from Cedar's UTF-8 offsets. */
const placeOf = (text: string, start: number): string => {
  const before = Buffer.from(text, 'utf8').subarray(0, start).toString('utf8');
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;
};

const sayError = (
  text: string,
  error: {
    readonly message: string;
    readonly help: string | null;
    readonly sourceLocations?: readonly { readonly start: number; readonly label: string | null }[];
  },
): string => {
  const [location] = error.sourceLocations ?? [];
  const place = location === undefined ? '' : `${placeOf(text, location.start)}: `;
  const expected = location?.label == null ? '' : ` (${location.label})`;
  return `${place}${error.message}${expected}${error.help === null ? '' : `; ${error.help}`}`;
};

const sayAll = (text: string, errors: readonly DetailedError[]): readonly string[] =>
  errors.map((error) => sayError(text, error));

/** The names that a rule may write, as `policy init` lists them. */
const PATHS = [
  'principal.origin',
  ...['target', 'name', 'url'].map((name) => `resource.${name}`),
  ...['session', 'hour', 'isPlainReply', 'amount', 'past', 'args', 'text'].map((name) => `context.${name}`),
];
const NO_ATTRIBUTE = /attribute `(\w+)` in context for (Action::"[^"]+") not found/;

/** Cedar tells of a wrong name once for each action; one line does. */
const sayTypeErrors = (text: string, errors: readonly DetailedError[]): readonly string[] => {
  const said = errors.map((error) => {
    const [whole, name, action = ''] = NO_ATTRIBUTE.exec(error.message) ?? [];
    if (whole === undefined || name === undefined) return { line: sayError(text, error), action };
    const meant = nearest(
      name,
      PATHS.map((path) => path.split('.')[1] ?? ''),
    );
    const help = PATHS.find((path) => path.endsWith(`.${meant}`));
    const message = error.message.replace(` for ${action}`, '');
    return {
      line: sayError(text, { ...error, message, help: help === undefined ? null : `did you mean ${help}?` }),
      action,
    };
  });
  return [...Map.groupBy(said, ({ line }) => line)].map(([line, [first, ...others]]) => {
    if (first === undefined || first.action === '') return line;
    return `${line} (${first.action}${others.length === 0 ? '' : ` and ${others.length} others`})`;
  });
};

interface Statement {
  readonly text: string;
  readonly start: number;
}

/**
 * The statements in the order of the text. Cedar sorts them by its own ids (`policy10` before
 * `policy2`), so each is looked up in the text; a statement that stands twice is found twice.
 */
const statementsOf = (text: string, parts: readonly string[]): readonly Statement[] => {
  const ends = new Map<string, number>();
  return parts
    .map((part) => {
      const start = text.indexOf(part, ends.get(part) ?? 0);
      ends.set(part, start + part.length);
      return { text: part, start };
    })
    .sort((left, right) => left.start - right.start);
};

/** How Cedar's JSON writes `context.class`, `.programs`, `.past` and `.hour`. */
const NAMES_COMMANDS = /"left":\{"Var":"context"\},"attr":"(?:class|programs)"/;
const NAMES_PAST = /"left":\{"Var":"context"\},"attr":"past"/;
/** The name of an amount, and of the question whether a recipient is new, wherever they stand. */
const ASKS_AMOUNT = /"attr":"amount"/;
const ASKS_RECIPIENT = /"attr":"isFirst"/;
const NAMES_HOUR = /"left":\{"Var":"context"\},"attr":"hour"/;

const ActionScope = z.object({ op: z.literal('=='), entity: z.object({ id: z.string() }) });

const ruleOf = (cedar: Cedar, text: string, statement: Statement, index: number): PolicyRule => {
  const line = text.slice(0, statement.start).split('\n').length;
  const parsed = cedar.policyToJson(statement.text);
  const conditions = parsed.type === 'success' ? JSON.stringify(parsed.json.conditions) : '';
  const annotations = parsed.type === 'success' ? (parsed.json.annotations ?? {}) : {};
  return {
    policyId: `rule${index}`,
    text: statement.text,
    name: annotations.id || `rule ${index + 1} (line ${line})`,
    effect: parsed.type === 'success' ? parsed.json.effect : 'forbid',
    isAsk: Object.hasOwn(annotations, 'ask'),
    namesCommands: NAMES_COMMANDS.test(conditions),
    namesPast: NAMES_PAST.test(conditions),
    namesHour: NAMES_HOUR.test(conditions),
    asksFor: [
      ...(ASKS_RECIPIENT.test(conditions) ? (['recipient'] as const) : []),
      ...(ASKS_AMOUNT.test(conditions) ? (['amount'] as const) : []),
    ],
    action: parsed.type === 'success' ? ActionScope.safeParse(parsed.json.action).data?.entity.id : undefined,
    line,
  };
};

/** The rules under our ids, so that the engine names rules we parsed. */
export const policySetOf = (rules: readonly PolicyRule[]): { staticPolicies: Record<string, string> } => ({
  staticPolicies: Object.fromEntries(rules.map(({ policyId, text }) => [policyId, text])),
});

/** Cedar has no code for this finding. Its other warnings are about spellings in literals. */
const isImpossible = ({ error }: { readonly error: { readonly message: string } }): boolean =>
  error.message.includes('policy is impossible');

/** Pure but for the engine's caches. Never throws, whatever the text contains. */
export const parsePolicy = (cedar: Cedar, text: string, schema: string = POLICY_SCHEMA): ParsedPolicy => {
  const parts = cedar.policySetTextToParts(text);
  const policies = { staticPolicies: text };
  const checked = cedar.validate({ schema, policies });
  if (parts.type === 'failure' || checked.type === 'failure') {
    const errors = parts.type === 'failure' ? parts.errors : checked.type === 'failure' ? checked.errors : [];
    return { rules: [], problems: sayAll(text, errors), impossible: new Set() };
  }
  const statements = statementsOf(text, parts.policies);
  const rules = statements.map((statement, index) => ruleOf(cedar, text, statement, index));
  const byRule = cedar.validate({ schema, policies: policySetOf(rules) });
  const warnings = byRule.type === 'success' ? byRule.validationWarnings : [];
  const isWhole = byRule.type === 'success' && statements.every(({ start }) => start >= 0);
  const doubled = rules.filter((rule, at) => rules.findIndex(({ name }) => name === rule.name) !== at);
  return {
    rules,
    problems: [
      ...(isWhole ? [] : ['its statements cannot be told apart']),
      ...doubled.map((rule) => `line ${rule.line}: there are two rules with the id ${rule.name}`),
      ...sayTypeErrors(
        text,
        checked.validationErrors.map(({ error }) => error),
      ),
    ],
    impossible: new Set(warnings.filter(isImpossible).map(({ policyId }) => policyId)),
  };
};
