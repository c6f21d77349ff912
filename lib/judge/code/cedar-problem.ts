/**
 * Whether a text is a Cedar policy, or a Cedar schema. Its syntax only: which entities and actions there are is a question of
 * the schema it will be used with (`policy check` answers it for ours). Pure but for the engine's own caches.
 */
import type { Cedar } from '../policy/engine.ts';
import type { Finding, FindProblem } from './finding.ts';

/** Cedar counts bytes of UTF-8. */
const lineAt = (text: string, offset: number): number =>
  Buffer.from(text, 'utf8').subarray(0, offset).toString('utf8').split('\n').length;

/** @param cedar the engine, brought in by the caller. */
export const findCedarProblem =
  (cedar: Cedar): FindProblem =>
  (text, form): Finding => {
    const answer =
      form === 'schema' ? cedar.checkParseSchema(text) : cedar.checkParsePolicySet({ staticPolicies: text });
    if (answer.type === 'success') return undefined;
    const start = answer.errors[0]?.sourceLocations?.[0]?.start ?? 0;
    return { line: lineAt(text, start), problem: 'it does not parse' };
  };
