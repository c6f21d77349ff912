/**
 * Writes a rule of the policy that forbids one call: the same tool, receiver and arguments, of
 * which one may differ. A nested argument travels as its JSON text, so a difference inside it is
 * written as a pattern. Pure. @returns undefined if the policy cannot name such a call
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import type { JsonObject } from '../../core/base/json.ts';
import type { Action } from '../../core/signal/action.ts';
import { argumentTypes, POLICY_TOOLS } from './policy-domain.ts';

/** Printable ASCII stands for itself; all else is written as its number. */
const escaped = (text: string): string =>
  text.replace(/["\\]/g, '\\$&').replace(/[^ -~]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);

const quote = (text: string): string => `"${escaped(text)}"`;

/** Stands for the value that may differ while the JSON text is written. */
const ANYTHING = '\u{10fffd}';

/** The argument with one value inside it replaced; undefined if that value is not there. */
const withAnything = (value: unknown, steps: readonly string[]): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined) return ANYTHING;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return { ...value, [step]: withAnything(Reflect.get(value, step), rest) };
};

/** `like` takes `*` for anything, so one of the text's own is written `\*`. */
const pattern = (value: unknown): string =>
  canonicalJson(value)
    .split(`"${ANYTHING}"`)
    .map((part) => escaped(part).replaceAll('*', '\\*'))
    .join('*');

const literal = (type: string, value: unknown): string | undefined => {
  switch (type) {
    case 'Long':
      return Number.isSafeInteger(value) ? String(value) : undefined;
    case 'Bool':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'Set<String>':
      return Array.isArray(value) ? `[${value.map((one) => quote(String(one))).join(', ')}]` : undefined;
    default:
      return quote(typeof value === 'string' ? value : canonicalJson(value));
  }
};

/** @param steps names from the arguments to the value that may differ; none for no such value */
const conditions = (
  types: ReturnType<typeof argumentTypes>,
  args: JsonObject,
  [first, ...rest]: readonly string[],
): readonly (string | undefined)[] =>
  Object.entries(args).flatMap(([name, value]) => {
    if (name === first && rest.length === 0) return [];
    const type = types.find((one) => one.name === name)?.type ?? '';
    const at = `context.args[${quote(name)}]`;
    const has = `context.args has ${quote(name)}`;
    if (name === first) {
      const open = withAnything(value, rest);
      return [type === 'String' && open !== undefined ? `${has} && ${at} like "${pattern(open)}"` : undefined];
    }
    const wanted = literal(type, value);
    return [type === '' || wanted === undefined ? undefined : `${has} && ${at} == ${wanted}`];
  });

const stepsOf = (path: string): readonly string[] =>
  path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The one action that such a rule can reach; undefined for a rule of another form. */
export const ruledAction = (rule: string): string | undefined =>
  /^@id\("[\w-]+"\)\nforbid\(principal, action == Action::"([\w-]+)", resource/.exec(rule)?.[1];

/** @param path RFC 6901 pointer of the argument that may differ; '' for none */
export const draftRule = ({ tool, to, args = {} }: Action, path: string, id: string): string | undefined => {
  const known = POLICY_TOOLS.find(({ name }) => name === tool);
  if (known === undefined) return undefined;
  const wanted = conditions(argumentTypes(known), args, stepsOf(path));
  if (wanted.includes(undefined)) return undefined;
  const resource = to === undefined ? 'resource' : `resource == Recipient::${quote(to)}`;
  const when = wanted.length === 0 ? '' : `\nwhen { ${wanted.join(' && ')} }`;
  return `@id(${quote(id)})\nforbid(principal, action == Action::${quote(known.name)}, ${resource})${when};`;
};
