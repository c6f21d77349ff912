/**
 * The Cedar engine, loaded only where there is a policy to judge by: 4 MB of WebAssembly that a cold start does not pay for
 * otherwise. `parsePolicy` says everything that is wrong with a text and where: it must parse and
 * type-check against the schema of the tool catalogue, because Cedar without a schema skips a `forbid` that errors.
 */
import type { Cedar } from './engine.ts';
import { POLICY_SCHEMA } from './policy-domain.ts';

/** One statement of a policy text. */
export interface PolicyRule {
  /** Cedar's own name for it: `policy0`, `policy1` … by its place in the text. */
  readonly policyId: string;
  /** What people call it: its `@id`, or `rule 3 (line 12)`. */
  readonly name: string;
  readonly effect: 'permit' | 'forbid';
  /** Has `@ask`: what it permits, a person must approve. */
  readonly isAsk: boolean;
  readonly line: number;
}

export interface ParsedPolicy {
  readonly rules: readonly PolicyRule[];
  /** Sentences with line and column; a policy with any of them is not used. */
  readonly problems: readonly string[];
  /** Ids of rules that are false for every request there can be, as the type checker proves. */
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

/** Statements one by one, where each begins. Their order is that of `policy0`, `policy1` … */
const rulesOf = (cedar: Cedar, text: string, policies: readonly string[]): readonly PolicyRule[] => {
  let from = 0;
  return policies.map((policy, index) => {
    const found = text.indexOf(policy, from);
    const start = found === -1 ? from : found;
    from = start + (found === -1 ? 0 : policy.length);
    const line = text.slice(0, start).split('\n').length;
    const parsed = cedar.policyToJson(policy);
    const annotations = parsed.type === 'success' ? (parsed.json.annotations ?? {}) : {};
    return {
      policyId: `policy${index}`,
      name: annotations.id || `rule ${index + 1} (line ${line})`,
      effect: parsed.type === 'success' ? parsed.json.effect : 'forbid',
      isAsk: Object.hasOwn(annotations, 'ask'),
      line,
    };
  });
};

/** Cedar has no code for this finding; its other warnings are about odd spellings in literals. */
const isImpossible = ({ error }: { readonly error: { readonly message: string } }): boolean =>
  error.message.includes('policy is impossible');

/** Pure but for the engine's own caches. Never throws for anything a text can contain. */
export const parsePolicy = (cedar: Cedar, text: string, schema: string = POLICY_SCHEMA): ParsedPolicy => {
  const parts = cedar.policySetTextToParts(text);
  const policies = { staticPolicies: text };
  const checked = cedar.validate({ schema, policies });
  if (parts.type === 'failure' || checked.type === 'failure') {
    const errors = parts.type === 'failure' ? parts.errors : checked.type === 'failure' ? checked.errors : [];
    return { rules: [], problems: sayAll(text, errors), impossible: new Set() };
  }
  const rules = rulesOf(cedar, text, parts.policies);
  const doubled = rules.filter((rule, at) => rules.findIndex(({ name }) => name === rule.name) !== at);
  return {
    rules,
    problems: [
      ...doubled.map((rule) => `line ${rule.line}: there are two rules with the id ${rule.name}`),
      ...sayAll(
        text,
        checked.validationErrors.map(({ error }) => error),
      ),
    ],
    impossible: new Set(checked.validationWarnings.filter(isImpossible).map(({ policyId }) => policyId)),
  };
};
