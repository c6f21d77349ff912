/**
 * Lambda takes 4 KB of variables for a function, and refuses more only in the middle of a deploy.
 * Long settings therefore travel with the code, and the others are counted here.
 */
import type { Template } from './template.ts';

const ENVIRONMENT_BYTES_MAX = 4_096;
/** Counted for a value that only the deployment knows, such as the URL of a queue. */
const REFERENCE_BYTES = 180;
const LONGEST_NAMED = 3;

/** Sets variables before any code reads them. One line of ASCII. */
export const settingsPrologue = (settings: Readonly<Record<string, string>>): string => {
  const json = JSON.stringify(settings).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Object.keys(settings).length === 0 ? '' : `Object.assign(process.env,${json});`;
};

const bytesOf = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : REFERENCE_BYTES);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A sentence for each function that Lambda would refuse. */
export const environmentProblems = (template: Template): readonly string[] =>
  Object.values(template.Resources).flatMap(({ Metadata, Properties }) => {
    const name = Metadata?.passepartout?.name;
    const environment = isRecord(Properties.Environment) ? Properties.Environment.Variables : undefined;
    if (name === undefined || !isRecord(environment)) return [];
    const sizes = Object.entries(environment).map(([key, value]) => ({ key, bytes: key.length + bytesOf(value) }));
    const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes <= ENVIRONMENT_BYTES_MAX) return [];
    const longest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, LONGEST_NAMED);
    const named = longest.map((one) => `${one.key} (${one.bytes})`).join(', ');
    return [
      `${name}: its environment is ${bytes} bytes, and Lambda takes ${ENVIRONMENT_BYTES_MAX}; the longest are ${named}`,
    ];
  });
